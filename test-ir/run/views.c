// Views whose strides are all known at run time only: one of them is guessed to be 1, the last that the program names. Rows, columns, backwards, strides of 2, of nothing, and views of one buffer.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=2 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=6 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <stdio.h>

#define KERNEL __attribute__((noinline)) void

struct view {
    double *p;
    long rows, columns, s0, s1;
};
#define AT(v, i, j) v.p[(i)*v.s0 + (j)*v.s1]

// CHECK: views.c:[[#@LINE+2]]:5: remark: {{.*}}register tile {{.*}}strides that have to be 1
KERNEL product(struct view c, struct view a, struct view b) {
    for (long i = 0; i < c.rows; i++)
        for (long j = 0; j < c.columns; j++)
            for (long k = 0; k < a.columns; k++) AT(c, i, j) += AT(a, i, k) * AT(b, k, j);
}

// CHECK: views.c:[[#@LINE+2]]:5: remark: {{.*}}register tile {{.*}}strides that have to be 1
KERNEL product_of_numbers(int n, int m, int l, double *c, int c0, int c1, const double *a, int a0, int a1, const double *b, int b0, int b1) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++) c[i * c0 + j * c1] += a[i * a0 + k * a1] * b[k * b0 + j * b1];
}

// Pairs of numbers.
KERNEL rotated(int n, int m, int l, double *c, long c0, long c1, const double *a, long a0, long a1, const double *b, long b0, long b1) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++) {
                c[2 * (i * c0 + j * c1)] += a[i * a0 + k * a1] * b[2 * (k * b0 + j * b1)];
                c[2 * (i * c0 + j * c1) + 1] += a[i * a0 + k * a1] * b[2 * (k * b0 + j * b1) + 1];
            }
}

// The number of rows is no stride of neighbours: a column of a matrix by rows, and sums that are held in registers need no guess.
// CHECK-NOT: views.c:[[#@LINE+2]]:5: remark: {{.*}}have to be 1
KERNEL column(int n, int times, double *y, const double *a) {
    for (int t = 0; t < times; t++)
        for (int i = 0; i < n; i++) y[i * n] += a[i * n] * y[i * n];
}
// CHECK-NOT: views.c:[[#@LINE+2]]:5: remark: {{.*}}have to be 1
KERNEL product_of_sums(int n, int m, int l, double *c, int c0, int c1, const double *a, int a0, int a1, const double *b, int b0, int b1) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int k = 0; k < l; k++) s += a[i * a0 + k * a1] * b[k * b0 + j * b1];
            c[i * c0 + j * c1] += s;
        }
}

enum { W = 160, CELLS = 2 * W * W };
static double a[2 * CELLS], b[2 * CELLS], c[2 * CELLS];

#define SHOW(name, array) printf("%s %d %d %lx\n", name, q, k, hash(1, array, sizeof array))
static void fill(unsigned s) {
    double *all[] = {a, b, c};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2 * CELLS; i++) all[k][i] = ((s = s * 1664525 + 1013904223) >> 20) * 0x1p-12 + 0.5;
}

int main(void) {
    static const int strides[][6] = {{W, 1, W, 1, W, 1}, {1, W, 1, W, 1, W}, {W, 1, 1, W, W, 1},  {1, W, W, 1, W, 1},  {W, 2, W, 1, W, 1},
                                     {W, 1, W, 2, W, 1}, {W, 1, W, 1, W, 3}, {-W, 1, W, 1, W, 1}, {W, 1, W, 1, -W, -1}, {W, -1, W, 1, W, 1},
                                     {1, 1, W, 1, W, 1}, {W, 1, 0, 1, W, 1}, {W, 0, W, 1, W, 1},  {W, 1, W, 1, 0, 1},   {0, 1, W, 1, W, 1}};
    static const int sizes[][3] = {{0, 3, 3}, {1, 1, 1}, {3, 0, 5}, {5, 7, 0}, {8, 24, 9}, {33, 17, 21}, {64, 64, 64}, {65, 50, 66}};
    for (int q = 0; q < sizeof strides / sizeof *strides; q++)
        for (int k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            const int *s = strides[q], n = sizes[k][0], m = sizes[k][1], l = sizes[k][2];
            struct view x = {a + CELLS, n, l, s[2], s[3]}, y = {b + CELLS, l, m, s[4], s[5]}, z = {c + CELLS, n, m, s[0], s[1]};
            fill(q + k), product(z, x, y), SHOW("product", c);
            // Of one buffer.
            fill(q + k), x.p = c + CELLS + 3, product(z, x, y), SHOW("product", c);
            fill(q + k), product_of_numbers(n, m, l, c + CELLS, s[0], s[1], a + CELLS, s[2], s[3], b + CELLS, s[4], s[5]), SHOW("numbers", c);
            fill(q + k), product_of_sums(n, m, l, c + CELLS, s[0], s[1], a + CELLS, s[2], s[3], b + CELLS, s[4], s[5]), SHOW("sums", c);
            fill(q + k), rotated(n, m / 2, l, c + CELLS, s[0], s[1], a + CELLS, s[2], s[3], b + CELLS, s[4], s[5]), SHOW("rotated", c);
            fill(q + k), column(n, m % 5, c, a), SHOW("column", c);
        }
}
