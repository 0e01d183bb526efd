// Products of complex numbers as C has them, which are computed anew where both parts are NaN: assumed not to be, which the factors tell before the loops. With infinities, numbers that are none or so large that products are infinite, at
// all places; with memory that ends where the program stops reading, factors that the nest itself changes, that meet what is written, or that no cell holds; loops that do not run.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=znver4 -w -I%S/Inputs -Rpass=loopwright -Rpass-missed=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=2 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -march=x86-64-v3 -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// REQUIRES: x86-64-v3
#include "hash.h"
#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define KERNEL __attribute__((noinline)) static void

typedef double complex wide;
typedef float complex narrow;

// CHECK-DAG: complex_products.c:[[#@LINE+2]]:5: remark: {{.*}}register tile {{.*}}predicted
KERNEL product(int n, int m, int l, wide (*c)[m], wide (*a)[l], wide (*b)[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++) c[i][j] += a[i][k] * b[k][j];
}

// A sum in registers, rows turned over.
// CHECK-DAG: complex_products.c:[[#@LINE+2]]:5: remark: {{.*}}predicted
KERNEL conjugates(int n, int m, int l, narrow (*c)[m], narrow (*a)[n], narrow (*b)[l]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            narrow sum = 0;
            for (int k = 0; k < l; k++) sum += conjf(a[k][i]) * b[j][k];
            c[i][j] = sum;
        }
}

// A factor that no cell holds: it is looked at, too.
// CHECK-DAG: complex_products.c:[[#@LINE+2]]:5: remark: {{.*}}register tile {{.*}}predicted
KERNEL scaled(int n, int m, int l, wide factor, wide (*c)[m], wide (*a)[l], wide (*b)[m]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l; k++)
            for (int j = 0; j < m; j++) c[i][j] -= factor * a[i][k] * b[k][j];
}

// Narrow factors in wide sums.
// CHECK-DAG: complex_products.c:[[#@LINE+2]]:5: remark: {{.*}}predicted
KERNEL widened(int n, int m, int l, wide (*c)[m], narrow (*a)[l], wide (*b)[m]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l; k++)
            for (int j = 0; j < m; j++) c[i][j] += a[i][k] * b[k][j];
}

// A filter: every factor counts for several sums.
// CHECK-DAG: complex_products.c:[[#@LINE+2]]:5: remark: {{.*}}predicted
KERNEL filter(int n, int l, wide *y, wide *x, wide *h) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l; k++) y[i] += h[k] * x[i + k];
}

// Each factor of the matrix is used once.
// CHECK-DAG: complex_products.c:[[#@LINE+2]]:{{[0-9]+}}: remark: cannot transform the loops: a product of complex numbers {{.*}}looking at them would take as long as the loops
KERNEL once(int n, int m, wide *y, wide (*a)[m], wide *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i] += a[i][j] * x[j];
}

// The loops compute what is asked for.
// CHECK-DAG: complex_products.c:[[#@LINE+2]]:{{[0-9]+}}: remark: cannot transform the loops: a product of complex numbers {{.*}}the loops may change them before
KERNEL solve(int n, int m, wide (*restrict b)[m], wide (*restrict a)[n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            for (int j = 0; j < m; j++) b[i][j] -= a[i][k] * b[k][j];
}

// Computed only where data say so: where they do not there need not be any memory.
// CHECK-DAG: complex_products.c:[[#@LINE+5]]:{{[0-9]+}}: remark: cannot transform the loops: a product of complex numbers {{.*}}data decide whether it is computed
KERNEL sometimes(int n, int m, int l, double *p, wide (*c)[m], wide (*a)[l], wide (*b)[m]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l; k++)
            if (p[i] > 0)
                for (int j = 0; j < m; j++) c[i][j] += a[i][k] * b[k][j];
}

// Two products of which one is a factor, every second row from the end.
KERNEL steps(int n, int m, int l, wide (*c)[m], wide (*a)[l], wide (*b)[m], wide *d) {
    for (int i = n - 1; i >= 0; i -= 2)
        for (int k = i & 1; k < l; k += 3)
            for (int j = 0; j < m; j++) c[i][j] += a[i][k] * b[k][j] * d[k];
}

// Products and quotients, which are calls always.
KERNEL quotients(int n, int m, wide (*c)[m], wide (*a)[m], wide *d) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) c[i][j] = a[i][j] * d[j] / d[i];
}

static double chosen(int kind, int k, int count, double most) {
    double x = (double)(k * 37 % 101 - 50) / 64;
    int last = k == count - 1, first = k == 0, middle = k == count / 2;
    switch (kind) {
    case 1: return last ? INFINITY : x;
    case 2: return first ? -INFINITY : x;
    case 3: return middle ? NAN : x;
    case 4: return middle ? most : last ? -most : x;
    case 5: return k % 5 ? x : INFINITY;
    case 6: return last ? sqrt(most) / 2 : x;
    case 7: return middle ? 0 : -0.0;
    case 8: return first ? sqrt(sqrt(most)) * 2 : x;
    default: return x;
    }
}

// So many bytes in front of memory that nobody may touch.
static void *fenced(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), all = (bytes + page - 1) / page * page + page;
    char *p = mmap(0, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p + all - page, page, PROT_NONE);
    return p + all - page - bytes;
}

static void *wides(int n, int m, int kind) {
    double *p = fenced((size_t)n * m * sizeof(wide));
    for (int k = 0; k < 2 * n * m; k++) p[k] = chosen(kind, k, 2 * n * m, DBL_MAX);
    return p;
}

static void *narrows(int n, int m, int kind) {
    float *p = fenced((size_t)n * m * sizeof(narrow));
    for (int k = 0; k < 2 * n * m; k++) p[k] = (float)chosen(kind, k, 2 * n * m, FLT_MAX);
    return p;
}

// Of numbers that are none sign and payload are left open.
static void show(const char *name, int n, int m, int l, int kind, void *p, size_t count) {
    double *of = p;
    for (size_t k = 0; k < 2 * count; k++)
        if (of[k] != of[k]) of[k] = NAN;
    printf("%s %d %d %d %d %016llx\n", name, n, m, l, kind, (unsigned long long)hash(7, p, count * sizeof(wide)));
}

static void show_narrow(const char *name, int n, int m, int l, int kind, void *p, size_t count) {
    float *of = p;
    for (size_t k = 0; k < 2 * count; k++)
        if (of[k] != of[k]) of[k] = NAN;
    printf("%s %d %d %d %d %016llx\n", name, n, m, l, kind, (unsigned long long)hash(7, p, count * sizeof(narrow)));
}

int main(void) {
    static const int sizes[][3] = {{0, 3, 3}, {3, 3, 0}, {1, 1, 1}, {2, 1, 40}, {5, 17, 9}, {8, 8, 8}, {16, 16, 16}, {33, 40, 20}, {50, 31, 64}, {70, 70, 70}};
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++)
        for (int kinds = 0; kinds < 18; kinds++) {
            int n = sizes[s][0], m = sizes[s][1], l = sizes[s][2], kind = kinds % 9, other = kinds < 9 ? 0 : kind;
            size_t all = (size_t)n * m;
            wide *c = wides(n, m, 0), *a = wides(n, l, kind), *b = wides(l, m, other);
            product(n, m, l, (void *)c, (void *)a, (void *)b);
            show("product", n, m, l, kinds, c, all);
            scaled(n, m, l, kind % 2 ? 0.5 + 2 * I : -3, (void *)c, (void *)a, (void *)b);
            show("scaled", n, m, l, kinds, c, all);
            wide *none = wides(n, m, 0), *fine = wides(n, l, 0);
            scaled(n, m, l, chosen(kind, 0, 1, DBL_MAX) + I * chosen(other, 0, 2, DBL_MAX), (void *)none, (void *)fine, (void *)b);
            show("factor", n, m, l, kinds, none, all);
            widened(n, m, l, (void *)c, narrows(n, l, kind), (void *)b);
            show("widened", n, m, l, kinds, c, all);
            steps(n, m, l, (void *)c, (void *)a, (void *)b, wides(l, 1, other));
            show("steps", n, m, l, kinds, c, all);
            double p[80];
            for (int i = 0; i < n; i++) p[i] = i % 3 - 1;
            sometimes(n, m, l, p, (void *)c, (void *)a, (void *)b);
            show("sometimes", n, m, l, kinds, c, all);
            sometimes(n, m, l, (double[80]){0}, (void *)c, (void *)16, (void *)16);
            wide *y = wides(n + m, 1, 0);
            filter(n + m, l, y, wides(n + m + (l ? l - 1 : 0), 1, kind), wides(l, 1, other));
            show("filter", n, m, l, kinds, y, (size_t)n + m);
            y = wides(n, 1, 0);
            once(n, l, y, (void *)a, wides(l, 1, other));
            show("once", n, m, l, kinds, y, (size_t)n);
            wide *own = wides(n, m, other), *square = wides(n, n, kind);
            solve(n, m, (void *)own, (void *)square);
            show("solve", n, m, l, kinds, own, all);
            if (m >= n) quotients(n, m, (void *)own, (void *)c, wides(m, 1, other));
            show("quotients", n, m, l, kinds, own, all);
            narrow *sums = narrows(n, m, 0);
            conjugates(n, m, l, (void *)sums, narrows(l, n, kind), narrows(m, l, other));
            show_narrow("conjugates", n, m, l, kinds, sums, all);
            // The factors in what is written.
            wide *meeting = wides(2 * n + l, m + l, kind);
            if (l <= m && n <= 30) {
                product(n, m, l, (void *)(meeting + l), (void *)meeting, (void *)(meeting + n));
                show("meeting", n, m, l, kinds, meeting, (size_t)(2 * n + l) * (m + l));
            }
        }
}
