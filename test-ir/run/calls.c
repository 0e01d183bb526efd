// Calls in loops: pure ones, observable ones, volatile accesses, other things that a transformation must respect.
// RUN: %execute %s
#include "kernel.h"

KERNEL(square_roots, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = sqrt(fabs(B[i][j]));
}

KERNEL(absolute_sums, "double n, double n*m", double s[n], double A[n][m]) {
    for (int i = 0; i < n; i++) {
        s[i] = 0;
        for (int j = 0; j < m; j++) s[i] += fabs(A[i][j]);
    }
}

KERNEL(fused_multiply_add, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] = fma(A[i][p], B[p][j], C[i][j]);
}

KERNEL(separate_multiply_add, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
#pragma clang fp contract(off)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
}

KERNEL(rounding, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = floor(B[i][j] * 10.0) + ceil(A[i][j]) + trunc(B[i][j] * 3.0);
}

KERNEL(minima_and_maxima, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = fmin(A[i][j], B[i][j]) + copysign(fmax(A[i][j], 0.25), B[i][j]);
}

KERNEL(exponentials, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] += exp(B[i][j]) * sin(B[i][j]);
}

static inline double helper(double x, double y) { return x * 0.5 + y * y; }

KERNEL(inlined_helper, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = helper(A[i][j], B[i][j]);
}

static __attribute__((noinline, const)) double pure_helper(double x) { return x * x + 1.0; }

KERNEL(pure_call, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = pure_helper(B[i][j]);
}

static __attribute__((noinline)) void writing_helper(double *x) { *x += 1.0; }

KERNEL(writing_call, "double n*m", double A[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            A[i][j] *= 2.0;
            writing_helper(&A[i][0]);
        }
}

KERNEL(observed_inside, "double n*m", double A[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            A[i][j] *= 2.0;
            note(A[i][j]);
        }
}

KERNEL(observed_between, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] += B[i][j];
    note(n * m > 0 ? A[0][0] : 0.0);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] *= B[i][j];
}

KERNEL(observed_in_outer_loop, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int t = 0; t < 3; t++) {
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++) A[i][j] += B[i][j] * 0.5;
        note(n * m > 0 ? A[n - 1][m - 1] : 0.0);
    }
}

KERNEL(volatile_array, "double n*m, double n*m", volatile double A[n][m], double B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = B[i][j] + 1.0;
}

KERNEL(volatile_size, "double n*m", double A[n][m]) {
    volatile int rows = n;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < m; j++) A[i][j] += 1.0;
}

KERNEL(volatile_flag_inside, "double n*m", double A[n][m]) {
    volatile int flag = 0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            A[i][j] += 1.0;
            flag = i;
        }
    (void)flag;
}

KERNEL(atomic_counter, "double n*m, int 1", double A[n][m], int *count) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            A[i][j] *= 0.5;
            __atomic_fetch_add(count, 1, __ATOMIC_SEQ_CST);
        }
}

KERNEL(barrier_between, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] += 1.0;
    __asm__ volatile("" : : : "memory");
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] *= 2.0;
}

KERNEL(assembly_inside, "double n*m", double A[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            double x = A[i][j];
            __asm__ volatile("" : "+m"(x));
            A[i][j] = x + 1.0;
        }
}

typedef double (*function)(double);

KERNEL(indirect_call, "double n*m", double A[n][m]) {
    volatile function f = pure_helper;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = f(A[i][j]);
}

KERNEL(expected_branch, "double n*m", double A[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            if (__builtin_expect(A[i][j] > 0, 1)) A[i][j] *= 2.0;
}

KERNEL(assumed_sizes, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    if (n < 1 || m < 1) return;
    __builtin_assume(n > 0);
    __builtin_assume(m > 0);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] += B[i][j];
}

KERNEL(vectorise_pragma, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++)
#pragma clang loop vectorize(enable)
        for (int j = 0; j < m; j++) A[i][j] = A[i][j] * 0.5 + B[i][j];
}

KERNEL(no_transformation_pragma, "double n*m, double n*m", double A[n][m], double B[n][m]) {
#pragma clang loop unroll(disable)
    for (int j = 0; j < m; j++)
#pragma clang loop vectorize(disable) unroll(disable)
        for (int i = 0; i < n; i++) A[i][j] += B[i][j];
}

#pragma clang optimize off
KERNEL(not_optimised, "double n*m", double A[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] += 1.0;
}
