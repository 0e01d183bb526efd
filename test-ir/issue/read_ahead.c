// Run-time checks read memory: a size through a pointer that is kept in memory, as many addresses of rows as a size in memory says, indices. Where the loops themselves write that
// pointer or size before they use it, there need not be anything at what it was before.
// RUN: %clang -O3 -fno-strict-aliasing %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -fno-strict-aliasing %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -fno-strict-aliasing -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -fno-strict-aliasing -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=haswell -fno-strict-aliasing -Rpass=loopwright -c %s -o /dev/null 2>&1 | %FileCheck %s
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 300 };

static double A[N][N], B[N][N];

// The size is written, and so much is done: two regions, for a check that the first loop leaves the size alone would always fail.
// CHECK: read_ahead.c:[[#@LINE+4]]:5: remark: interchanged loops
__attribute__((noinline)) void counted(double **rows, long *count, const long *w, long n, long c) {
    for (long i = 0; i < n; i++) count[i] = w[i] + 1;
    long m = *count;
    for (long j = 0; j < c; j++)
        for (long i = 0; i < m; i++) rows[i][j] += B[i][j] * 2.0;
}

// The same through another pointer.
__attribute__((noinline)) void counted_elsewhere(double **rows, long *count, const long *w, long *size, long n, long c) {
    for (long i = 0; i < n; i++) count[i] = w[i] + 1;
    long m = *size;
    for (long j = 0; j < c; j++)
        for (long i = 0; i < m; i++) rows[i][j] += B[i][j] * 2.0;
}

struct view {
    double *scale;
};

// Nobody looks at the view where there are no columns.
__attribute__((noinline)) void no_columns(long *count, const long *w, long *size, long n, long c, struct view *v) {
    for (long i = 0; i < n; i++) count[i] = w[i];
    long m = *size;
    for (long j = 0; j < m; j++)
        for (long i = 0; i < c; i++) A[i][j] += B[i][j] * v->scale[0];
}

struct box {
    long *size;
    double **rows;
    int *at;
};

// Addresses are decoded where they are, then used.
__attribute__((noinline)) void boxed_size(struct box *s, unsigned char *dst, long bytes, long n) {
    for (long i = 0; i < bytes; i++) dst[i] = dst[i] ^ 0x5a;
    long m = *s->size;
    for (long j = 0; j < m; j++)
        for (long i = 0; i < n; i++) A[i][j] += B[i][j] * 2.0;
}

__attribute__((noinline)) void boxed_rows(struct box *s, unsigned char *dst, long bytes, long n) {
    for (long i = 0; i < bytes; i++) dst[i] = dst[i] ^ 0x5a;
    for (long j = 0; j < n; j++)
        for (long i = 0; i < n; i++) s->rows[i][j] += B[i][j] * 2.0;
}

__attribute__((noinline)) void boxed_indices(struct box *s, unsigned char *dst, long bytes, long n, double *x) {
    for (long i = 0; i < bytes; i++) dst[i] = dst[i] ^ 0x5a;
    for (long j = 0; j < n; j++)
        for (long i = 0; i < n; i++) A[i][j] += B[i][j] * x[s->at[i]];
}

// The same in one loop around all.
__attribute__((noinline)) void again_and_again(struct box *s, unsigned char *dst, long bytes, long t, long n) {
    for (long k = 0; k < t; k++) {
        for (long i = 0; i < bytes; i++) dst[i] = dst[i] ^ 0x5a;
        for (long j = 0; j < n; j++)
            for (long i = 0; i < n; i++) s->rows[i][j] += B[i][j] * 2.0;
        for (long i = 0; i < bytes; i++) dst[i] = dst[i] ^ 0x5a;
    }
}

struct table {
    long size;
    long **rows;
};

// One of the rows holds the address of the table: those behind it are in another one.
__attribute__((noinline)) void goes_on_elsewhere(struct table *s, long n, long columns, long value) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < columns; j++) s->rows[i][j] = s->rows[i][j] * 0 + value;
}

__attribute__((noinline)) void goes_on_elsewhere_outside(struct table *s, long n, long columns, long value) {
    for (long j = 0; j < columns; j++)
        for (long i = 0; i < n; i++) s->rows[i][j] = s->rows[i][j] * 0 + value;
}

__attribute__((noinline)) void goes_on_from_behind(struct table *s, long n, long columns, long value) {
    for (long j = 0; j < columns; j++)
        for (long i = 0; i < n; i++) s->rows[n - 1 - i][j] = s->rows[n - 1 - i][j] * 0 + value;
}

static void code(struct box *s) {
    unsigned char *raw = (unsigned char *)s;
    for (size_t i = 0; i < sizeof *s; i++) raw[i] ^= 0x5a;
}

int main(void) {
    double **rows = malloc(N * sizeof *rows), *x = malloc(N * sizeof *x);
    long *count = malloc(N * sizeof *count), *w = malloc(N * sizeof *w);
    int *at = malloc(N * sizeof *at);
    for (int i = 0; i < N; i++) {
        rows[i] = calloc(N, sizeof **rows);
        x[i] = i, at[i] = i * 7 % N;
        for (int j = 0; j < N; j++) A[i][j] = i ^ j, B[i][j] = i + 3 * j;
    }
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < N; i++) count[i] = 0x7777777777L, w[i] = N - 1;
        if (k == 0)
            counted(rows, count, w, N, N);
        else
            counted_elsewhere(rows, count, w, count, N, N);
    }
    for (int i = 0; i < N; i++) count[i] = 17, w[i] = 0;
    no_columns(count, w, count, N, N, NULL);
    long size = N - 7;
    struct box s = {&size, rows, at};
    code(&s), boxed_size(&s, (unsigned char *)&s, sizeof s, N);
    code(&s), boxed_rows(&s, (unsigned char *)&s, sizeof s, N);
    code(&s), boxed_indices(&s, (unsigned char *)&s, sizeof s, N, x);
    code(&s), again_and_again(&s, (unsigned char *)&s, sizeof s, 3, N);
    for (int k = 0; k < 6; k++) {
        // The first table ends, or begins, where there is no more memory.
        long page = sysconf(_SC_PAGESIZE), columns = 3, at = 3, n = 600;
        char *pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        munmap(pages, page), munmap(pages + 2 * page, page);
        long **table = k < 4 ? (long **)(pages + 2 * page) - at - 1 : (long **)(pages + page) - (n - at - 1), **other = malloc(n * sizeof *other);
        long(*cells)[8] = calloc(n, sizeof *cells);
        for (long i = 0; i < n; i++) other[i] = cells[i];
        for (long i = 0; i <= at; i++) table[k < 4 ? i : n - 1 - i] = cells[i];
        struct table *t = k % 2 ? (struct table *)&cells[at][columns - 2] : malloc(sizeof *t);
        t->rows = k % 2 ? table : other;
        if (k < 2)
            goes_on_elsewhere(t, n, columns, (long)other);
        else if (k == 2)
            goes_on_elsewhere_outside(t, n, columns, (long)other);
        else if (k == 3) {
            t = (struct table *)(&cells[at][0] - 1), t->rows = table;
            goes_on_elsewhere_outside(t, n, 1, (long)other);
        } else if (k == 4)
            goes_on_from_behind(t, n, columns, (long)other);
        else {
            t = (struct table *)(&cells[at][0] - 1), t->rows = table;
            goes_on_from_behind(t, n, 1, (long)other);
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 3; j++) printf("%d", cells[i][j] == (long)other);
        printf("\n");
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) sum = sum * 0.5 + A[i][j] + rows[i][j];
    printf("%.17g\n", sum);
}
