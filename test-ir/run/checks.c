// Subscripts that are checked, and checks that fail half way: what was stored before is the same, and nothing else is stored.
// RUN: %execute %s
// RUN: %loopwright-clang -O3 -w -I%S/Inputs -mllvm -loopwright-policy=force -Rpass=loopwright -Rpass-missed=loopwright -c -o /dev/null %s 2>&1 | %FileCheck %s
#include "kernel.h"
#include <setjmp.h>

static jmp_buf way_out;

__attribute__((noreturn, noinline, cold)) static void fail(double what) {
    note(what);
    longjmp(way_out, 1);
}

#define CHECK(condition, what) ((condition) ? (void)0 : fail(what))
#define AT(a, size, i) (*({ size_t at = (i); CHECK(at < (size), at); &(a)[at]; }))
#define LOOPS __attribute__((noinline)) static void
#define RUN(call) if (!setjmp(way_out)) call

// How many elements the checks allow: all that there are, or a few less.
static size_t some(int n, int m, int k) {
    size_t all = n < 0 || m < 0 ? 0 : (size_t)n * m;
    return all > (size_t)(k % 4) ? all - k % 4 : all;
}

LOOPS product(size_t n, size_t m, size_t k, double *C, size_t c, const double *A, size_t a, const double *B, size_t b) {
    // CHECK-DAG: checks.c:[[@LINE+1]]:{{.*}}{{rewrote the|interchanged}} loops
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            for (size_t p = 0; p < k; p++) AT(C, c, i * m + j) += AT(A, a, i * k + p) * AT(B, b, p * m + j);
}
KERNEL(checked_product, "double n*m, double n*k, double k*m", double *C, double *A, double *B) {
    RUN(product(n, m, k, C, (size_t)n * m, A, (size_t)n * k, B, (size_t)k * m));
}
KERNEL(short_result, "double n*m, double n*k, double k*m", double *C, double *A, double *B) {
    RUN(product(n, m, k, C, some(n, m, k), A, (size_t)n * k, B, (size_t)k * m));
}
KERNEL(short_operand, "double n*m, double n*k, double k*m", double *C, double *A, double *B) {
    RUN(product(n, m, k, C, (size_t)n * m, A, (size_t)n * k, B, some(k, m, n)));
}
KERNEL(product_with_itself, "double n*n", double *A) {
    RUN(product(n, n, n, A, (size_t)n * n, A, (size_t)n * n, A, some(n, n, k)));
}

// Of signed numbers, some of them negative.
LOOPS shifted(int n, int m, int by, double *A, int size, const double *x) {
    // CHECK-DAG: checks.c:[[@LINE+1]]:{{.*}}{{rewrote the|interchanged}} loops
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            CHECK(i - by >= 0 && i - by < size, i);
            A[(i - by) * m + j] += x[i - by];
        }
}
KERNEL(shifted_down, "double n*m, double n", double *A, double *x) { RUN(shifted(n, m, k % 3, A, n, x)); }
KERNEL(shifted_up, "double n*m, double n", double *A, double *x) { RUN(shifted(n, m, -(k % 3), A, n, x)); }
KERNEL(not_shifted, "double n*m, double n, negative", double *A, double *x) { RUN(shifted(n, m, 0, A, n, x)); }

// Subscripts of 32 bits that may wrap.
LOOPS narrow(uint32_t n, uint32_t m, double *A, uint32_t size, const double *x) {
    // CHECK-DAG: checks.c:[[@LINE+1]]:{{.*}}{{rewrote the|interchanged}} loops
    for (uint32_t j = 0; j < m; j++)
        for (uint32_t i = 0; i < n; i++) AT(A, size, i * m + j) += x[j];
}
KERNEL(narrow_all, "double n*m, double m", double *A, double *x) { RUN(narrow(n, m, A, n * m, x)); }
KERNEL(narrow_some, "double n*m, double m", double *A, double *x) { RUN(narrow(n, m, A, some(n, m, k), x)); }

// A check under a condition, and one that depends on nothing that changes.
LOOPS guarded(int n, int m, double *A, int size, int most) {
    // CHECK-DAG: checks.c:[[@LINE+1]]:{{.*}}{{rewrote the|interchanged}} loops
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            CHECK(m <= most, m);
            if (j <= i) AT(A, size, i * m + j) *= 1.25;
        }
}
KERNEL(guarded_all, "double n*m", double *A) { RUN(guarded(n, m, A, n * m, m)); }
KERNEL(guarded_some, "double n*m", double *A) { RUN(guarded(n, m, A, (int)some(n, m, k), m)); }
KERNEL(guarded_none, "double n*m", double *A) { RUN(guarded(n, m, A, n * m, m - k % 2)); }

// A check of a number that two others must not meet.
LOOPS unequal(int n, int m, double *A, int never) {
    // CHECK-DAG: checks.c:[[@LINE+1]]:{{.*}}{{rewrote the|interchanged}} loops
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            CHECK(i != never, i);
            A[i * m + j] += 0.5;
        }
}
KERNEL(unequal_never, "double n*m", double *A) { RUN(unequal(n, m, A, -1)); }
KERNEL(unequal_late, "double n*m", double *A) { RUN(unequal(n, m, A, n)); }
KERNEL(unequal_between, "double n*m", double *A) { RUN(unequal(n, m, A, n / 2)); }

// A check of what is in memory: nothing to be known before.
LOOPS of_data(int n, int m, double *A, const double *x) {
    // CHECK-DAG: whether a check in the loop fails, and ends the program, cannot be told
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            CHECK(x[j] < 1.5, j);
            A[i * m + j] += x[j];
        }
}
KERNEL(checked_data, "double n*m, double m", double *A, double *x) { RUN(of_data(n, m, A, x)); }

// The sum is kept in a register until the check fails, which shows it.
LOOPS kept(int n, int m, int size, double *y, const double *A, const double *x) {
    // CHECK-DAG: checks.c:[[@LINE+1]]:{{.*}}{{rewrote the|interchanged}} loops
    for (int i = 0; i < n; i++) {
        double sum = y[i];
        for (int j = 0; j < m; j++) {
            if (j >= size) fail(sum);
            sum += A[i * m + j] * x[j];
        }
        y[i] = sum;
    }
}
KERNEL(kept_all, "double n, double n*m, double m", double *y, double *A, double *x) { RUN(kept(n, m, m, y, A, x)); }
KERNEL(kept_some, "double n, double n*m, double m", double *y, double *A, double *x) {
    RUN(kept(n, m, m - k % 3, y, A, x));
}

// A pointer is looked at before memory is: nothing may be loaded in front of that.
struct matrix { int rows, columns; double *cells; };
LOOPS behind_pointer(int n, const struct matrix *A, double by) {
    // CHECK-DAG: checks.c:[[@LINE+1]]:{{.*}}{{rewrote the|interchanged}} loops
    for (int i = 0; i < n; i++) {
        if (!A) fail(i);
        for (int j = 0; j < A->columns; j++) A->cells[i * A->columns + j] *= by;
    }
}
KERNEL(no_pointer, "double n*m", double *A) {
    struct matrix M = {n, m, A};
    RUN(behind_pointer(n, k % 2 ? &M : 0, 1.5));
}

// Rows with their lengths beside them: where a check fails, nobody may look at the next length.
struct row { double *cells; size_t length; };
LOOPS rows_of_lengths(size_t n, size_t m, struct row *C, const struct row *A) {
    // CHECK-DAG: whether a check in the loop fails, and ends the program, cannot be told
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < n; i++) AT(C[i].cells, C[i].length, j) += AT(A[i].cells, A[i].length, j);
}
static void lengths(struct row *R, double *A, int n, int m, int missing) {
    for (int i = 0; i < n; i++) R[i] = (struct row){A + (size_t)i * m, i == n / 2 && m > missing ? m - missing : m};
}
KERNEL(rows_long_enough, "double n*m, double n*m", double *C, double *A) {
    struct row c[n > 0 ? n : 1], a[n > 0 ? n : 1];
    lengths(c, C, n, m, 0), lengths(a, A, n, m, 0);
    RUN(rows_of_lengths(n, m, c, a));
}
KERNEL(one_row_too_short, "double n*m, double n*m", double *C, double *A) {
    struct row c[n > 0 ? n : 1], a[n > 0 ? n : 1];
    lengths(c, C, n, m, 0), lengths(a, A, n, m, k % 3);
    RUN(rows_of_lengths(n, m, c, a));
}
// The lengths may lie in the memory that is written.
LOOPS numbered(int n, int m, unsigned *A, const unsigned *lengths) {
    // CHECK-DAG: whether a check in the loop fails, and ends the program, cannot be told
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            CHECK((unsigned)j < lengths[i], j);
            A[i * m + j] = j + 2;
        }
}
KERNEL(lengths_apart, "int n*m, int n", unsigned *A, unsigned *lengths) {
    for (int i = 0; i < n; i++) lengths[i] = i % 3 == 2 ? m + (k % 3) - 1 : m + i;
    RUN(numbered(n, m, A, lengths));
}
KERNEL(lengths_within, "int n*m", unsigned *A) {
    int first = m > 0 && n <= m ? k % 2 * (n - 1) * m : 0;
    if (m > 0)
        for (int i = 0; i < n && i < m; i++) A[first + i] = m;
    if (n <= m) RUN(numbered(n, m, A, A + first));
}
