// Rows of 4096 bytes have their cells in the same places of the caches: squares that the kernel of a factorisation loads again and again are read from a copy, which is made tile by tile since the factorisation itself makes these
// cells. Other rows, few of them, and a heap that has nothing: the array.
// RUN: %clang -O3 -DHEAP %s -c -o %t.heap.o
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s %t.heap.o -lm -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s %t.heap.o -lm -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %t.auto refuse > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s %t.heap.o -lm -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %t.kernels refuse > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=znver4 -w -I%S/Inputs -fno-discard-value-names -S -emit-llvm %s -o %t.ll && %FileCheck %s < %t.ll
// RUN: %clang -O3 -march=x86-64-v3 -w -I%S/Inputs %s %t.heap.o -lm -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s %t.heap.o -lm -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
#include <stddef.h>

// A heap, which has nothing if it refuses.
#ifdef HEAP

int heap_refuses;
static char heap[64 << 20] __attribute__((aligned(64)));

void *malloc(size_t bytes) {
    static size_t used;
    if (heap_refuses || bytes > sizeof heap / 2) return NULL;
    if (used + bytes > sizeof heap) used = 0;
    void *memory = heap + used;
    used += (bytes + 63) / 64 * 64;
    return memory;
}

void free(void *memory) {}

#else

extern int heap_refuses;

#include "hash.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL __attribute__((noinline)) static void

// Whether rows are a multiple of 4096 bytes apart is asked when they are known.
// CHECK-LABEL: define {{.*}}@cholesky(
// CHECK: [[REST:%.*]] = and i{{[0-9]+}} %{{.*}}, 511
// CHECK: icmp eq i{{[0-9]+}} [[REST]], 0
// CHECK: lw.ask:
// CHECK: [[MEMORY:%.*]] = {{.*}}call {{.*}}ptr @malloc(i64 {{.*}}25152)
// CHECK: lw.mirrors:
// CHECK: phi ptr [ [[MEMORY]], %lw.ask ], [ null, %
// CHECK: select i1 %{{.*}}, i64 3136, i64 %
KERNEL cholesky(int n, double A[n][n]) {
    for (int k = 0; k < n; k++) {
        A[k][k] = sqrt(A[k][k]);
        for (int i = k + 1; i < n; i++) A[i][k] /= A[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++) A[i][j] -= A[i][k] * A[j][k];
    }
}

KERNEL cholesky_by_rows(int n, double A[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (int k = 0; k < i; k++) A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = sqrt(A[i][i]);
    }
}

KERNEL cholesky_of_floats(int n, float A[n][n]) {
    for (int k = 0; k < n; k++) {
        A[k][k] = sqrtf(A[k][k]);
        for (int i = k + 1; i < n; i++) A[i][k] /= A[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j <= i; j++) A[i][j] -= A[i][k] * A[j][k];
    }
}

// A part of larger rows, and the lower half of a solve with it.
KERNEL solve(int n, int m, int stride, double L[n][stride], double X[m][stride]) {
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) {
            X[i][k] /= L[k][k];
            for (int j = k + 1; j < n; j++) X[i][j] -= X[i][k] * L[j][k];
        }
}

static double own_cells[600 * 1100], own_others[600 * 1100];
static float own_floats[600 * 1100];

// Of which the compiler knows nothing.
static double *cells, *others;
static float *floats;

static void fill(int n, int stride) {
    unsigned state = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < stride; j++) {
            state = state * 1103515245 + 12345;
            double x = (state >> 16) / 65536.0;
            cells[i * stride + j] = floats[i * stride + j] = i == j ? x + n : x;
            others[i * stride + j] = x - 0.25;
        }
}

static void say(const char *what, int n, const void *data, size_t bytes) {
    printf("%s %d %016llx\n", what, n, (unsigned long long)hash(1, data, bytes));
}

int main(int argc, char **argv) {
    static char output[1 << 16];
    setvbuf(stdout, output, _IOFBF, sizeof output);
    heap_refuses = argc > 1;
    cells = somewhere(own_cells), others = somewhere(own_others), floats = somewhere(own_floats);
    static const int sizes[] = {0, 1, 9, 64, 383, 384, 500, 511, 512, 513};
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++) {
        int n = sizes[s];
        size_t all = (size_t)n * n;
        fill(n, n), cholesky(n, (void *)cells), say("cholesky", n, cells, all * sizeof(double));
        fill(n, n), cholesky_by_rows(n, (void *)cells), say("by rows", n, cells, all * sizeof(double));
        fill(n, n), cholesky_of_floats(n, (void *)floats), say("floats", n, floats, all * sizeof(float));
        int stride = n <= 512 ? 1024 : 1030;
        if (n > 600) continue;
        fill(n, stride), solve(n, n, stride, (void *)cells, (void *)others);
        say("solve", n, others, (size_t)n * stride * sizeof(double));
    }
    return 0;
}
#endif
