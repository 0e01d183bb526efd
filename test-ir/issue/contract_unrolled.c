// What LLVM's passes behind loopwright do with products and their sums under `-ffp-contract=fast`, found with random nests: a product that is the same in all iterations of a loop goes in front of it, where the
// vectoriser has told arrays apart, and where loops inside of it have been unrolled; products of neighbouring iterations become one when they stand side by side; of two products of a sum, the one that is in a
// vector is fused; what stands in front of the loop becomes part of the vectors that are stored in it; what loops have parted comes together; and counters become numbers, 1 among them. All this depends on costs, so such loops are left alone, but where a factor is 1 or -1.
// RUN: %clang -O3 -march=x86-64-v3 -ffp-contract=fast -w -I%S/../run/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=fast -w -I%S/../run/Inputs -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.auto 2>&1 | %FileCheck %s
// RUN: %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=fast -w -I%S/../run/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=fast -w -I%S/../run/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// REQUIRES: x86_64, x86-64-v3
#include "hash.h"
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static void
enum { MOST = 100 };
static double a[MOST * MOST], b[MOST * MOST], c[MOST * MOST], x[3 * MOST], y[3 * MOST], z[9 * MOST];
static double e[8][64], f[8][64], g[8][64], l[8][64];

// CHECK-DAG: contract_unrolled.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may compute a product in front of a loop, and leave its sum in it an operation of its own
KERNEL rows(int n, double (*c)[3][5], double (*restrict b)[3][5], double *y) {
    for (int i = 0; i < n; i++)
        for (int r = 0; r < 3; r++)
            for (int j = 0; j < 5; j++) c[i][r][j] = (y[j] * y[j] - i) * b[i][r][j];
}

// CHECK-DAG: contract_unrolled.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may compute a product in front of a loop
KERNEL in_front_of_one(int n, double (*c)[MOST], double (*b)[MOST], double *y, double *x) {
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < n; j++) c[j][i] = y[i] * x[i] - b[j][i];
}

// CHECK-DAG: contract_unrolled.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may compute a product in front of a loop
KERNEL in_front_of_two(int n, double (*restrict c)[24], double (*restrict b)[24], double *restrict y, double *restrict x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 24; j++) c[i][j] = b[i][j] * (y[j] * x[j] - b[i][j]) * c[i][j];
}

// The sum over k is the same for all i, where LLVM has unrolled it.
// CHECK-DAG: contract_unrolled.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may compute a product in front of a loop
KERNEL of_a_sum(int n, double *restrict c, double (*restrict b)[MOST], double *restrict y, double *restrict x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 40; j++) {
            double s = 0;
            for (int k = 0; k < 40; k++) s += y[k] / x[k + j];
            c[j] += s * x[j] + b[i][j];
        }
}

// What is written in the loop is no product in front of it, and nor is one of which a factor is 1.
// CHECK-DAG: contract_unrolled.c:[[#@LINE+2]]:5: remark: {{.*}}predicted
KERNEL carried(int n, double (*restrict c)[MOST], double (*restrict b)[MOST], double *restrict y, double x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) c[j][i] = c[j][i] * c[j][i] + b[j][i];
}

// CHECK-DAG: contract_unrolled.c:[[#@LINE+2]]:5: remark: {{.*}}predicted
KERNEL by_one(int n, double (*c)[MOST], double (*b)[MOST], double *y, double x) {
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < n; j++) c[j][i] = y[i] * x - b[j][i];
}

// CHECK-DAG: contract_unrolled.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may find that iterations have a product in common, and leave their sums operations of their own
KERNEL of_neighbours(int n, double *restrict c, double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++) c[i + 1] = c[i] * (x[i] * y[i] - x[i + 1] * y[i + 1]);
}

// CHECK-DAG: contract_unrolled.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may find that iterations have a product in common
KERNEL of_rows(int n, double (*restrict c)[4], double *restrict x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++) c[i][j] += x[i + j] * x[i + j];
}

// The length of the loop over k is known when that over j has been unrolled, too.
// CHECK-DAG: contract_unrolled.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may compute a product in front of a loop
__attribute__((noinline)) void of_triangle(double (*restrict c)[MOST], double *restrict x) {
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < j; k++)
            for (int i = 0; i < 24; i++) c[k][i] -= x[i + 2] * x[k];
}

// Not the same whatever i is, but where it is j.
// CHECK-DAG: contract_unrolled.c:[[#@LINE+2]]:5: remark: {{.*}}predicted
KERNEL symmetric(int n, double (*restrict c)[MOST], double (*restrict a)[MOST], double (*restrict b)[MOST]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[j][k] + b[i][k] * a[j][k];
}

// CHECK-DAG: contract_unrolled.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may make a vector of products, and leave their sums operations of their own
KERNEL second_products(int n, double *restrict c, double *restrict x, double *restrict y, double *restrict z) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++) c[2 * i] += z[i * 8] * y[j * 5] - x[j] * y[i] * z[i];
}

// CHECK-DAG: contract_unrolled.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may make vectors of two statements, and pairs of their products and sums or not
KERNEL before(int n, double (*restrict c)[MOST], double (*restrict b)[MOST], double *restrict y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++) c[i][j] *= y[1] * y[j] - b[j][j] * y[j];
}

// The loop over i goes when LLVM has made it three vectors: then what was computed in front of it stands beside what is behind it.
// CHECK-DAG: contract_unrolled.c:[[#@LINE+3]]:9: remark: cannot transform the loops: LLVM may bring a product and its sum together, and make them one operation
KERNEL parted(int n, double (*restrict c)[MOST], double (*restrict b)[MOST], double (*restrict d)[MOST], double *restrict x, double *restrict y, double u) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < 24; i++)
            for (int k = 0; k < 5; k++) {
                c[j][k] = b[k][j] * u - x[i] * y[i + 1] * x[2];
                d[i][k] *= u + x[i] + b[i + 2][j];
            }
}

// CHECK-DAG: contract_unrolled.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may find that a factor is 1, and make another product one operation with the sum
KERNEL counted(double (*restrict c)[MOST + 1], double (*restrict a)[MOST], double (*restrict d)[MOST + 1], double *restrict x, double *restrict y, double u) {
    for (int i = 1; i < 17; i++) {
        c[i][i] *= a[i + 2][i] * (double)i - y[2] * u;
        x[i] = d[i][i] - y[i] * u;
    }
}

// Loops that go: what is computed several times is one then, and products that had other uses have none.
// CHECK-DAG: contract_unrolled.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may bring a product and its sum together, and make them one operation
KERNEL alone(double u, double (*a)[64], double (*b)[64], double (*c)[64], double (*d)[64], double *x, double *y) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++) {
                c[k][i] -= u * x[k + 1] + u * b[j][k];
                d[k][i] = (u + b[i + 1][j] * b[j][k + 2]) + y[k] * a[k][i];
            }
}

int main(void) {
    enum { SIZES = 6 };
    static const int sizes[SIZES] = {0, 1, 5, 33, 64, 90};
    for (int s = 0; s < SIZES; s++) {
        int n = sizes[s];
        for (int k = 0; k < MOST * MOST; k++) {
            a[k] = 1.0 / (k % 97 + 3);
            b[k] = 1.0 / (k % 89 + 7);
            c[k] = 1.0 / (k % 83 + 5);
        }
        for (int k = 0; k < 3 * MOST; k++) x[k] = 1.0 / (k % 31 + 1.7), y[k] = 1.0 / (k % 29 + 1.3);
        for (int k = 0; k < 9 * MOST; k++) z[k] = 1.0 / (k % 37 + 1.1);
        for (int k = 0; k < 64; k++)
            for (int i = 0; i < 8; i++) e[i][k] = 1 + 1.0 / (k + i + 3), f[i][k] = 1 + 1.0 / (k * i + 3), g[i][k] = 1 + 1.0 / (k + i + 5);
        uint64_t h = 0;
#define RUN(...) (__VA_ARGS__, h = hash(h, c, sizeof c), printf("%d %016llx\n", n, (unsigned long long)h))
        RUN(rows(n, somewhere(c), somewhere(b), y));
        RUN(in_front_of_one(n, somewhere(c), somewhere(b), y, x));
        RUN(in_front_of_two(n, somewhere(c), somewhere(b), y, x));
        RUN(of_a_sum(n, c, somewhere(b), y, x));
        RUN(carried(n, somewhere(c), somewhere(b), y, 1.3));
        RUN(by_one(n, somewhere(c), somewhere(b), y, 1.3));
        RUN(by_one(n, somewhere(c), somewhere(b), y, -1));
        RUN(of_neighbours(n, c, x, y));
        RUN(of_rows(n, somewhere(c), x));
        RUN(of_triangle(somewhere(c), x));
        RUN(symmetric(n, somewhere(c), somewhere(a), somewhere(b)));
        RUN(second_products(n, c, x, y, z));
        RUN(counted(somewhere(c), somewhere(b), somewhere(a), x, y, 1.3));
        RUN(parted(n, somewhere(c), somewhere(b), somewhere(a), x, y, 1.3));
        RUN(before(n, somewhere(c), somewhere(b), y));
        alone(1.3 + n, e, f, g, l, x, y);
        h = hash(h, g, sizeof g), h = hash(h, l, sizeof l), printf("%d %016llx\n", n, (unsigned long long)h);
    }
    return 0;
}
