// Stores under conditions on data: they happen only where the condition holds, and so do the loads behind it.
// RUN: %execute %s
// RUN: %loopwright-clang -O3 -w -I%S/Inputs -mllvm -loopwright-policy=force -Rpass=loopwright -Rpass-missed=loopwright -c -o /dev/null %s 2>&1 | %FileCheck %s
#include "kernel.h"

KERNEL(larger, "double n*m, double m", double A[n][m], double *x) {
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            if (x[j] > 0.5) A[i][j] += x[j];
}

KERNEL(own_value, "double n*m, double n", double A[n][m], double *x) {
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            if (A[i][j] < x[i]) A[i][j] = x[i] * 2.0;
}

// The condition reads what other iterations write.
KERNEL(from_above, "double n*m", double A[n][m]) {
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int j = 0; j < m; j++)
        for (int i = 1; i < n; i++)
            if (A[i - 1][j] > 0.25) A[i][j] -= 0.5;
}

KERNEL(from_below, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int j = 0; j + 1 < m; j++)
        for (int i = 0; i + 1 < n; i++)
            if (A[i + 1][j] > A[i][j + 1]) A[i][j] = B[i][j];
}

// Numbers that are none: roots of negative ones.
KERNEL(not_a_number, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            double r = __builtin_sqrt(B[i][j] - 1.0);
            if (!(r >= 0.5)) A[i][j] += 1.0;
        }
}

// Behind the condition there is memory that nobody may touch otherwise.
__attribute__((noinline)) static void guarded(int n, int m, double (*A)[m], const double *x, const double *y) {
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            if (x[j] > 4000.0) A[i][j] += y[j];
}
static double *volatile nowhere;
KERNEL(never_touched, "double n*m, double m", double A[n][m], double *x) { guarded(n, m, A, x, nowhere); }

__attribute__((noinline)) static void part_there(int n, int m, double (*A)[m], const int *x, const double *y) {
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[j] < n) A[i][j] += y[j];
}
KERNEL(part_of_it, "double n*m, double n, int m", double A[n][m], double *y, int *x) {
    for (int j = 0; j < m; j++) x[j] = j;
    part_there(n, m, A, x, y);
}

// Divisions, by nothing but what the condition lets pass.
KERNEL(divided, "int n*m, int m", int A[n][m], int *x) {
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            if (x[j] != 0 && x[j] != -1) A[i][j] = A[i][j] / x[j];
}

KERNEL(two_stores, "double n*m, double n*m, double m", double A[n][m], double B[n][m], double *x) {
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            if (x[j] > 0.25) {
                A[i][j] += x[j];
                if (A[i][j] < 1.0) B[i][j] = A[i][j] - x[j];
            }
}

KERNEL(around_a_loop, "double n*m, double n, double m", double A[n][m], double *x, double *y) {
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int i = 0; i < n; i++)
        if (x[i] < 0.5)
            for (int j = 0; j < m; j++) A[i][j] += x[i] * y[j];
}

KERNEL(sum_of_some, "double n, double n*m", double *s, double A[n][m]) {
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            if (A[i][j] > 0.25) s[i] += A[i][j];
}

KERNEL(product_of_some, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++)
                if (A[i][p] != 0.0) C[i][j] += A[i][p] * B[p][j];
}

KERNEL(of_counters_and_data, "double n*m, double m", double A[n][m], double *x) {
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            if (i <= j && x[j] > 0.25 && i * j % 3 != 1) A[i][j] += 1.0;
}

// The store decides what the next condition sees.
KERNEL(once_each, "double n, double n*m, int n", double *y, double A[n][m], int *done) {
    for (int i = 0; i < n; i++) done[i] = 0;
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            if (done[i] == 0) y[i] = A[i][j];
            if (A[i][j] > 0.75) done[i] = 1;
        }
}

// Written before and behind: what does not happen ends nothing.
KERNEL(overwritten_by_some, "double n*m, double m", double A[n][m], double *x) {
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] = i + j;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            if (x[j] > 0.5) A[i][j] = -1.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] *= 2.0;
}

// A product behind stores that may not happen: its cells are held all the same.
KERNEL(product_behind_some, "double n*m, double n*k, double k*m, double m", double C[n][m], double A[n][k], double B[k][m], double *x) {
    // CHECK-DAG: conditions.c:[[@LINE+1]]:{{.*}}loops
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[j] > 0.5) C[i][j] = 0.25;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
}
