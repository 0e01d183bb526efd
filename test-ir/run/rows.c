// Arrays of pointers to rows: in order, backwards, in disorder; rows that are one and the same, that overlap, that hold the pointers themselves; more pointers than
// rows that are read, and none at all.
// RUN: %execute %s
// RUN: %loopwright-clang -O3 -w -I%S/Inputs -mllvm -loopwright-policy=force -Rpass=loopwright -Rpass-missed=loopwright -c -o /dev/null %s 2>&1 | %FileCheck %s
#include "kernel.h"

#define LOOPS __attribute__((noinline)) static void

// Pointers to rows of m elements of A, in this order, in memory T of n elements.
enum order { UP, DOWN, MIXED, TWICE, OVERLAPPING };
__attribute__((noinline)) static double **rows(double *T, double *A, int n, int m, enum order how) {
    double **table = (double **)T;
    for (int i = 0; i < n; i++) {
        int row = how == DOWN ? n - 1 - i : how == MIXED ? (i % 2 ? n - 1 - i / 2 : i / 2) : how == TWICE ? i / 2 : i;
        table[i] = how == OVERLAPPING ? A + (i > m ? m : i) : A + (size_t)row * m;
    }
    return table;
}
__attribute__((noinline)) static void forget(double *T, int n) {
    for (int i = 0; i < n; i++) T[i] = i;
}

LOOPS product(int n, int m, int k, double **C, double **A, double **B) {
    // CHECK-DAG: rows.c:[[@LINE+1]]:{{.*}}{{rewrote the|interchanged}} loops
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
}
#define PRODUCT(NAME, C_ORDER, A_ORDER, B_ORDER)                                                                  \
    KERNEL(NAME, "double n*m, double n*k, double k*m, double n, double n, double k, noalias", double *C, double *A, double *B, \
           double *c, double *a, double *b) {                                                                     \
        product(n, m, k, rows(c, C, n, m, C_ORDER), rows(a, A, n, k, A_ORDER), rows(b, B, k, m, B_ORDER));        \
        forget(c, n), forget(a, n), forget(b, k);                                                                 \
    }
PRODUCT(product_up, UP, UP, UP)
PRODUCT(product_down, DOWN, UP, DOWN)
PRODUCT(product_mixed, MIXED, MIXED, UP)
PRODUCT(product_operand_twice, UP, TWICE, OVERLAPPING)
PRODUCT(product_result_twice, TWICE, UP, UP)
PRODUCT(product_result_overlapping, OVERLAPPING, UP, UP)

KERNEL(product_with_itself, "double n*n, double n*n, double n, double n, noalias", double *A, double *B, double *a, double *b) {
    double **own = rows(a, A, n, n, MIXED);
    product(n, n, n, own, own, rows(b, B, n, n, UP));
    forget(a, n), forget(b, n);
}
KERNEL(product_same_rows, "double n*n, double n*n, double n, double n, noalias", double *A, double *B, double *a, double *b) {
    product(n, n, n, rows(a, A, n, n, UP), rows(b, B, n, n, UP), rows(b, A, n, n, DOWN));
    forget(a, n), forget(b, n);
}
// Rows of the one among rows of the other.
KERNEL(product_interleaved, "double 2*n*n, double n*n, double n, double n, double n, noalias", double *A, double *B, double *a,
       double *b, double *c) {
    double **C = (double **)c, **D = (double **)a;
    for (int i = 0; i < n; i++) C[i] = A + (size_t)2 * i * n, D[i] = A + (size_t)(2 * i + 1) * n;
    product(n, n, n, C, D, rows(b, B, n, n, UP));
    forget(a, n), forget(b, n), forget(c, n);
}

// Two dimensions only, and neighbours; the first and last pointer are not read by all of them.
LOOPS smooth(int n, int m, double **B, double **A) {
    // CHECK-DAG: rows.c:[[@LINE+1]]:{{.*}}{{rewrote the|interchanged}} loops
    for (int j = 1; j < m - 1; j++)
        for (int i = 1; i < n - 1; i++) B[i][j] = A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1];
}
#define SMOOTH(NAME, B_ORDER, A_ORDER)                                                                          \
    KERNEL(NAME, "double n*m, double n*m, double n, double n, noalias", double *B, double *A, double *b, double *a) {    \
        smooth(n, m, rows(b, B, n, m, B_ORDER), rows(a, A, n, m, A_ORDER));                                     \
        forget(b, n), forget(a, n);                                                                             \
    }
SMOOTH(smooth_up, UP, UP)
SMOOTH(smooth_down, DOWN, MIXED)
SMOOTH(smooth_mixed, MIXED, UP)
SMOOTH(smooth_overlapping, OVERLAPPING, UP)

KERNEL(smooth_in_place, "double n*m, double n, noalias", double *A, double *a) {
    double **own = rows(a, A, n, m, MIXED);
    smooth(n, m, own, own);
    forget(a, n);
}

// Some rows, with pointers to nowhere before and behind them, and rows that are reached at some columns alone.
LOOPS triangle(int n, int first, double **L, double **x) {
    // CHECK-DAG: rows.c:[[@LINE+1]]:{{.*}}{{rewrote the|interchanged}} loops
    for (int i = first; i < n; i++)
        for (int j = first; j < i; j++) L[i][j] -= x[j][0] * L[j][j];
}
KERNEL(triangle_of_some, "double n*n, double n*n, double n, double n, noalias", double *L, double *X, double *l, double *x) {
    double **rows_of_l = rows(l, L, n, n, MIXED), **rows_of_x = rows(x, X, n, n, DOWN);
    if (n > 1) rows_of_l[0] = 0, rows_of_x[0] = (double *)1, rows_of_x[n - 1] = (double *)8;
    triangle(n, 1, rows_of_l, rows_of_x);
    forget(l, n), forget(x, n);
}

// The pointers are in the rows' own memory: the original code changes them as it goes.
LOOPS scale(int n, int m, double **A, double by) {
    // CHECK-DAG: rows.c:[[@LINE+1]]:{{.*}}{{rewrote the|interchanged}} loops
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] *= by;
}
KERNEL(rows_hold_pointers, "double n*m, double n, noalias", double *A, double *a) {
    double **own = rows(a, A, n, m, UP);
    if (n > 1 && m > n) {
        // Pointers to rows 1 and up lie in row 0 behind what its loop changes.
        for (int i = 0; i < n; i++) ((double **)A)[m - n + i] = own[i];
        scale(n, m - n, (double **)A + m - n, 2.0);
        for (int i = 0; i < n; i++) A[m - n + i] = i;
    }
    forget(a, n);
}
KERNEL(scale_none, "double n*m, negative, noalias", double *A) { scale(n < 0 ? n : 0, m, 0, 2.0); }
KERNEL(scale_no_columns, "double n*m, noalias", double *A) { scale(n, k > 3 ? 0 : -1, 0, 2.0); }
KERNEL(scale_twice, "double n*m, double n, noalias", double *A, double *a) {
    scale(n, m, rows(a, A, n, m, TWICE), 1.25);
    forget(a, n);
}

struct line { double *from, *to; };
LOOPS lines(int n, int m, struct line *y, const struct line *x) {
    // CHECK-DAG: rows.c:[[@LINE+1]]:{{.*}}{{rewrote the|interchanged}} loops
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) y[i].from[j] += x[n - 1 - i].from[j];
}
KERNEL(pointers_in_structs, "double n*m, double n*m, double 2*n, double 2*n, noalias", double *Y, double *X, double *y, double *x) {
    struct line *a = (struct line *)y, *b = (struct line *)x;
    for (int i = 0; i < n; i++) a[i].from = Y + (size_t)i * m, b[i].from = X + (size_t)i * m, a[i].to = b[i].to = 0;
    lines(n, m, a, b);
    forget(y, 2 * n), forget(x, 2 * n);
}

// Cleared by rows.
LOOPS cleared(int n, int m, double **C, double **A) {
    // CHECK-DAG: rows.c:[[@LINE+1]]:{{.*}}{{rewrote the|interchanged}} loops
    for (int i = 0; i < n; i++) {
        memset(C[i], 0, sizeof(double) * m);
        for (int p = 0; p < n; p++)
            for (int j = 0; j < m; j++) C[i][j] += A[i][p] * A[p][j];
    }
}
KERNEL(cleared_by_rows, "double n*n, double n*n, double n, double n, noalias", double *C, double *A, double *c, double *a) {
    cleared(n, n, rows(c, C, n, n, DOWN), rows(a, A, n, n, UP));
    forget(c, n), forget(a, n);
}

// The pointers change.
LOOPS swapped(int n, int m, double **A) {
    // CHECK-DAG: rows.c:[[@LINE+4]]:{{.*}}values of type ptr are not supported
    for (int i = 0; i + 1 < n; i++) {
        for (int j = 0; j < m; j++) A[i][j] += A[i + 1][j];
        double *t = A[i];
        A[i] = A[i + 1], A[i + 1] = t;
    }
}
KERNEL(swapped_rows, "double n*m, double n, noalias", double *A, double *a) {
    swapped(n, m, rows(a, A, n, m, UP));
    forget(a, n);
}
