// Factorisations as in textbooks, by columns, sums first: where the first column has no sums LLVM makes a copy of what follows, and the counter's next value has two forms.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=znver4 -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto -lm && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force -lm && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random -lm && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O2 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O2 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.auto -lm && %t.auto > %t.out && diff %t.expected %t.out
// REQUIRES: x86-64-v3
#include "hash.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void
#define LOOP(i, from, n) for (int i = from; i < n; i++)

// CHECK-DAG: textbook.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL cholesky(int n, double *restrict a, double *restrict l, double *restrict u) {
    LOOP(j, 0, n) {
        double s = 0;
        LOOP(k, 0, j) s += l[j * n + k] * l[j * n + k];
        l[j * n + j] = sqrt(a[j * n + j] - s);
        LOOP(i, j + 1, n) {
            s = 0;
            LOOP(k, 0, j) s += l[i * n + k] * l[j * n + k];
            l[i * n + j] = (a[i * n + j] - s) / l[j * n + j];
        }
    }
}

// In place, in rows of the other triangle, with counters of 64 bits.
// CHECK-DAG: textbook.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL in_place(long n, double (*restrict a)[n], double *restrict l, double *restrict u) {
    for (long j = 0; j < n; j++) {
        double s = a[j][j];
        for (long k = 0; k < j; k++) s -= a[k][j] * a[k][j];
        a[j][j] = s = sqrt(s);
        for (long i = j + 1; i < n; i++) {
            double t = a[j][i];
            for (long k = 0; k < j; k++) t -= a[k][j] * a[k][i];
            a[j][i] = t / s;
        }
    }
}

// CHECK-DAG: textbook.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL without_roots(int n, double *restrict a, double *restrict l, double *restrict d) {
    LOOP(j, 0, n) {
        double s = a[j * n + j];
        LOOP(k, 0, j) s -= l[j * n + k] * l[j * n + k] * d[k];
        d[j] = s;
        LOOP(i, j + 1, n) {
            double t = a[i * n + j];
            LOOP(k, 0, j) t -= l[i * n + k] * l[j * n + k] * d[k];
            l[i * n + j] = t / s;
        }
    }
}

KERNEL crout(int n, double *restrict a, double *restrict l, double *restrict u) {
    LOOP(j, 0, n) {
        LOOP(i, j, n) {
            double s = a[i * n + j];
            LOOP(k, 0, j) s -= l[i * n + k] * u[k * n + j];
            l[i * n + j] = s;
        }
        LOOP(i, j + 1, n) {
            double s = a[j * n + i];
            LOOP(k, 0, j) s -= l[j * n + k] * u[k * n + i];
            u[j * n + i] = s / l[j * n + j];
        }
    }
}

KERNEL doolittle(int n, double *restrict a, double *restrict l, double *restrict u) {
    LOOP(i, 0, n) {
        LOOP(k, i, n) {
            double s = 0;
            LOOP(j, 0, i) s += l[i * n + j] * u[j * n + k];
            u[i * n + k] = a[i * n + k] - s;
        }
        LOOP(k, i + 1, n) {
            double s = 0;
            LOOP(j, 0, i) s += l[k * n + j] * u[j * n + i];
            l[k * n + i] = (a[k * n + i] - s) / u[i * n + i];
        }
    }
}

int main(void) {
    static const int sizes[] = {0, 1, 2, 3, 7, 8, 16, 23, 40, 65, 100};
    typedef void factorise(int, double *, double *, double *);
    factorise *all[] = {cholesky, (factorise *)in_place, without_roots, crout, doolittle};
    LOOP(s, 0, (int)(sizeof sizes / sizeof *sizes)) LOOP(f, 0, 5) {
        int n = sizes[s];
        size_t bytes = (size_t)n * n * sizeof(double);
        double *p[3];
        LOOP(k, 0, 3) {
            p[k] = aligned_alloc(64, bytes / 64 * 64 + 64);
            LOOP(i, 0, n * n) p[k][i] = (i * 37 % 101 + 1) / 128.0 + (i % (n + 1) == 0 ? n + 2 : 0);
        }
        if (f == 1) ((void (*)(long, void *, double *, double *))in_place)(n, p[0], p[1], p[2]);
        else all[f](n, p[0], p[1], p[2]);
        uint64_t h = 1;
        LOOP(k, 0, 3) h = hash(h, p[k], bytes);
        printf("%d %d %016llx\n", f, n, (unsigned long long)h);
        LOOP(k, 0, 3) free(p[k]);
    }
}
