// A value that is wanted after its cell was overwritten is kept in memory. Where it is loaded in pieces (`x[(i + 1) % n]`), it was kept of one of them, and read in all.
// RUN: %clang -O3 -march=x86-64-v2 %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v2 %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=x86-64-v2 -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=x86-64-v2 -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
#include <stdio.h>

#define KERNEL __attribute__((noinline)) void

static inline int place(int p, int m) {
    if (p < 0) p = -p;
    if (p >= m) p = 2 * m - 2 - p;
    return p < 0 ? 0 : p > m - 1 ? m - 1 : p;
}

KERNEL mirrored(int n, int m, double *x, double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int u = 0; u <= 1; u++)
                for (int v = 0; v <= 1; v++) y[i * m + place(j + 3, m)] += x[i * m + j];
}

KERNEL exchanged(int n, int m, double *x, double *y) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            double t = y[(i + 1) % n * m + (j + 1) % m];
            y[(i + 1) % n * m + j] = y[i * m + j];
            y[(i + 1) % n * m + (j + 1) % m] = t;
        }
}

static double memory[2][8192];

int main(void) {
    static const int sizes[][2] = {{2, 11}, {1, 1}, {5, 4}, {7, 16}};
    for (int k = 0; k < 4; k++)
        for (int which = 0; which < 2; which++) {
            int n = sizes[k][0], m = sizes[k][1];
            for (int i = 0; i < n * m; i++) memory[0][i] = i + 1, memory[1][i] = 100 * i;
            if (which) mirrored(n, m, memory[0], memory[1]);
            else exchanged(n, m, memory[0], memory[1]);
            for (int i = 0; i < n * m; i++) printf("%g ", memory[1][i]);
            puts("");
        }
    return 0;
}
