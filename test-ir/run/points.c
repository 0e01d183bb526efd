// Sweeps over vectors that are repeated run in strips of points, which stay in the first level; and neighbours in a row are handed on from vector to vector.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=znver4 -w -I%S/Inputs -Rpass=loopwright -Rpass-missed=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -mprefer-vector-width=512 -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -mprefer-vector-width=512 -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=5 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O2 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O2 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// REQUIRES: x86-64-v3
#include "hash.h"
#include <stdio.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void
#define LOOP(i, from, n) for (int i = from; i < n; i++)

// CHECK-DAG: points.c:[[#@LINE+2]]:{{.*}}nests in strips of {{[0-9]+}};
KERNEL three(int steps, int n, double *restrict a, double *restrict b) {
    LOOP(t, 0, steps) {
        LOOP(i, 1, n - 1) b[i] = 0.3 * (a[i - 1] + a[i] + a[i + 1]);
        LOOP(i, 1, n - 1) a[i] = 0.3 * (b[i - 1] + b[i] + b[i + 1]);
    }
}

// CHECK-DAG: points.c:[[#@LINE+2]]:{{.*}}nests in strips of {{[0-9]+}};
KERNEL copied(int steps, int n, double *restrict a, double *restrict b) {
    LOOP(t, 0, steps) {
        LOOP(i, 1, n - 1) b[i] = a[i] + 0.1 * (a[i - 1] - 2 * a[i] + a[i + 1]);
        LOOP(i, 1, n - 1) a[i] = b[i];
    }
}

// CHECK-DAG: points.c:[[#@LINE+2]]:{{.*}}nests in strips of {{[0-9]+}};
KERNEL five_of_floats(int steps, int n, float *restrict a, float *restrict b) {
    LOOP(t, 0, steps) {
        LOOP(i, 2, n - 2) b[i] = 0.1f * (a[i - 2] + a[i + 2]) + 0.2f * (a[i - 1] + a[i + 1]) + 0.4f * a[i];
        LOOP(i, 2, n - 2) a[i] = 0.1f * (b[i - 2] + b[i + 2]) + 0.2f * (b[i - 1] + b[i + 1]) + 0.4f * b[i];
    }
}

// A wave on two grids, one a half step behind.
// CHECK-DAG: points.c:[[#@LINE+2]]:{{.*}}nests in strips of {{[0-9]+}};
KERNEL staggered(int steps, int n, double *restrict e, double *restrict h) {
    LOOP(t, 0, steps) {
        LOOP(i, 1, n) e[i] += 0.5 * (h[i - 1] - h[i]);
        LOOP(i, 0, n - 1) h[i] += 0.5 * (e[i] - e[i + 1]);
    }
}

// No point depends on a neighbour: the loops can be interchanged, and values stay in registers. CHECK-DAG: points.c:[[#@LINE+2]]:{{.*}}vectors of {{[0-9]+}} lanes;
KERNEL polynomials(int m, int n, double *restrict y, double *restrict x) {
    LOOP(i, 0, n) {
        y[i] = 0;
        for (int k = m - 1; k >= 0; k--) y[i] = y[i] * x[i] + x[k];
    }
}

int main(void) {
    static const int sizes[] = {0, 1, 2, 3, 4, 5, 9, 31, 33, 64, 70, 511, 1023, 2500, 4097, 9001, 20003};
    static const int steps[] = {0, 1, 2, 7, 40};
    typedef void sweep(int, int, double *, double *);
    sweep *all[] = {three, copied, (sweep *)five_of_floats, staggered, polynomials};
    LOOP(s, 0, (int)(sizeof sizes / sizeof *sizes)) LOOP(t, 0, 5) LOOP(f, 0, 5) {
        int n = sizes[s];
        size_t bytes = ((size_t)n + 64) * sizeof(double);
        double *p[2];
        LOOP(k, 0, 2) {
            p[k] = aligned_alloc(64, bytes / 64 * 64 + 64);
            if (f == 2) LOOP(i, 0, n + 64) ((float *)p[k])[i] = (i * 37 % 101 - 50) / 128.0f;
            else LOOP(i, 0, n + 64) p[k][i] = (i * 37 % 101 - 50) / 128.0;
        }
        // Also where vectors do not begin with a line.
        all[f](f == 4 && steps[t] > n ? n : steps[t], n, p[0] + s % 3, p[1] + t % 4);
        uint64_t h = 1;
        LOOP(k, 0, 2) h = hash(h, p[k], (size_t)n * (f == 2 ? 4 : 8) + (f == 2 ? 32 : 64));
        printf("%d %d %d %016llx\n", f, n, steps[t], (unsigned long long)h);
        LOOP(k, 0, 2) free(p[k]);
    }
}
