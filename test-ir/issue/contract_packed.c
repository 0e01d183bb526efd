// What LLVM makes vectors of behind loopwright under `-ffp-contract=fast` where statements look alike, found with random nests: of two statements whose products read cells that are no neighbours it makes a vector of
// the sums and leaves the products alone, which are operations of their own then; the same of two sums of one statement, if what is added to the products is made in the same way; and what a loop leaves to products
// behind it decides what a vector of these costs. Such loops are left alone. Two sums that a loop carries are not worth a vector without their products, unless they are stored to neighbours.
// RUN: %clang -O2 -march=x86-64-v3 -ffp-contract=fast -w -I%S/../run/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O2 -march=x86-64-v3 -ffp-contract=fast -w -I%S/../run/Inputs -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.auto 2>&1 | %FileCheck %s
// RUN: %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O2 -march=x86-64-v3 -ffp-contract=fast -w -I%S/../run/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O2 -march=x86-64-v3 -ffp-contract=fast -w -I%S/../run/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// REQUIRES: x86_64, x86-64-v3
#include "hash.h"
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static void
enum { MOST = 64 };
static double a[MOST + 4][MOST], b[MOST + 4][MOST], c[MOST + 4][MOST], d[MOST + 4][MOST], w[MOST], x[MOST + 4], y[MOST + 4], z[MOST + 4];

// Neighbours are stored, of products whose operands lie on a diagonal.
// CHECK-DAG: contract_packed.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may make vectors of two statements, and pairs of their products and sums or not
KERNEL of_two(int n, int m, double u, double (*b)[MOST], double (*c)[MOST], double (*d)[MOST]) {
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++)
            for (int k = 0; k < 3; k++) c[i][k] *= b[j][i] * b[k][k] - u + 0.3 * d[i + 2][k];
}

// Neighbours of what is stored are read.
// CHECK-DAG: contract_packed.c:[[#@LINE+2]]:5: remark: {{.*}}predicted
KERNEL of_neighbours(int n, double u) {
    for (int j = 0; j < n; j++)
        for (int i = 1; i < n; i++)
            for (int k = 0; k < 3; k++) c[i][k] *= a[j][i] * b[j][k] - u;
}

// Sums in registers that nobody stores side by side.
// CHECK-DAG: contract_packed.c:[[#@LINE+2]]:5: remark: {{.*}}predicted
KERNEL carried(int n, double u) {
    for (int i = 0; i < n; i++) {
        double s = 0, t = 0;
        for (int j = 0; j < n; j++) s += a[i][j] * x[j], t += b[i][j] * x[j];
        w[i] = u * s + t;
    }
}

// Those of which somebody does so.
// CHECK-DAG: contract_packed.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may make vectors of two statements, and pairs of their products and sums or not
KERNEL stored(int n, double u) {
    for (int i = 0; i < n; i++) {
        double s = 0, t = 0;
        for (int j = 0; j < n; j++) s += a[i][j] * x[j], t += b[i][j] * x[j];
        c[i][0] = s;
        c[i][1] = t;
    }
}

// CHECK-DAG: contract_packed.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may make a vector of products, and leave their sums operations of their own
KERNEL of_one(double u) {
    for (int j = 0; j < 17; j++) {
        double t = 0;
        for (int i = 1; i < 4; i++) t -= z[i] * a[i][i + 2] - x[j + 2] * a[i][j] - b[i][j] * a[j + 2][j];
        c[j][j] += t * u - y[j];
    }
}

// What is added to a product, and to what is no product, is computed in front of the loop.
// CHECK-DAG: contract_packed.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may make a vector of products, and leave their sums operations of their own
KERNEL of_one_and_another(int n, double u) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i][j] += j - (x[2] * x[j] + d[i][i] * u) * j * (x[1] * -1.7 + a[i + 1][i] * a[j + 2][j + 1] + x[i + 2] * z[i]);
}

// The loop over j, which is a region of its own, leaves four values to the products behind it.
// CHECK-DAG: contract_packed.c:[[#@LINE+3]]:9: remark: cannot transform the loops: LLVM may make a vector of products behind the loops, and leave their sums operations of their own
KERNEL behind(int n, double u) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) {
            w[i] = a[j + 2][j + 1] * a[i][j + 2] * z[i + 1] + x[j] * z[j] + z[1] * u * b[i + 1][j];
            d[j][i] += u * d[j][i] - b[i][i + 2] * y[i] + (z[i + 2] + b[i][i] * d[j][i]);
        }
}

int main(void) {
    enum { SIZES = 8 };
    static const int sizes[SIZES] = {0, 1, 3, 4, 7, 18, 35, 62};
    for (int s = 0; s < SIZES; s++) {
        int n = sizes[s];
        for (int i = 0; i < MOST + 4; i++) {
            for (int j = 0; j < MOST; j++) {
                a[i][j] = 1 + 1.0 / ((i * MOST + j) % 97 + 3);
                b[i][j] = 1 + 1.0 / ((i * MOST + j) % 89 + 7);
                c[i][j] = 1 + 1.0 / ((i * MOST + j) % 83 + 5);
                d[i][j] = 1 + 1.0 / ((i * MOST + j) % 79 + 2);
            }
            x[i] = 1 + 1.0 / (i % 31 + 1.7), y[i] = 1 + 1.0 / (i % 29 + 1.3), z[i] = 1 + 1.0 / (i % 37 + 1.1);
        }
        uint64_t h = 0;
#define RUN(...) (__VA_ARGS__, h = hash(h, c, sizeof c), h = hash(h, d, sizeof d), h = hash(h, w, sizeof w), printf("%d %016llx\n", n, (unsigned long long)h))
        RUN(of_two(n, n, 1.3, b, c, d));
        RUN(of_neighbours(n, 1.3));
        RUN(carried(n, 1.3));
        RUN(stored(n, 1.3));
        RUN(of_one(1.3));
        RUN(of_one_and_another(n, 1.3));
        RUN(behind(n, 1.3));
    }
    return 0;
}
