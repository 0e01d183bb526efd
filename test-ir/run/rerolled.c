// Short loops of constant length that LLVM has unrolled become loops again: convolutions with channels last, sweeps that differ by constants, and what only looks like that.
// RUN: %clang -O3 -march=native -w %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=x86-64-v4 -w -c %s -o %t.o -Rpass=loopwright 2>&1 | %FileCheck %s
// Nine kernels would be too much code.
// RUN: %loopwright-clang -O3 -march=x86-64-v4 -c %S/../../examples/more/convolution_channels_last.c -o %t.o -Rpass=loopwright 2>&1 | %FileCheck %s --check-prefix=LAYER
// LAYER: convolution_channels_last.c:{{.*}}register tile{{.*}}packed operands
// RUN: %loopwright-clang -O3 -march=native -w -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O2 -march=native -w -mllvm -loopwright-policy=random -mllvm -loopwright-seed=7 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -mllvm -loopwright-policy=random -mllvm -loopwright-seed=12 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL __attribute__((noinline)) static void

KERNEL channels_last(int c, int k, int n, float out[n][n][k], float in[n + 2][n + 2][c], float f[3][3][c][k]) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            for (int o = 0; o < k; o++) {
                out[y][x][o] = 0.0f;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        for (int i = 0; i < c; i++) out[y][x][o] += in[y + p][x + q][i] * f[p][q][i][o];
            }
}

// CHECK: rerolled.c:[[#@LINE+2]]:{{.*}}register tile{{.*}}packed operands
KERNEL strided(int c, int k, int n, double out[n][n][k], double in[2 * n + 3][2 * n + 2][c], double f[3][2][c][k]) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            for (int o = 0; o < k; o++) {
                double sum = out[y][x][o];
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 2; q++)
                        for (int i = 0; i < c; i++) sum -= in[2 * y + p][2 * x + q][i] * f[2 - p][q][i][o];
                out[y][x][o] = sum;
            }
}

// The step is not the same each time, in another order, with another sign, with another domain.
KERNEL almost(int n, int m, double *restrict y, double *restrict x, double *restrict w) {
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < n; i++) y[j] += x[i] * w[i + j];
        for (int i = 0; i < n; i++) y[j] += x[i + 1] * w[i + j + 1];
        for (int i = 0; i < n; i++) y[j] += x[i + 3] * w[i + j + 2];
    }
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < n; i++) y[j] += x[i] * w[i + j];
        for (int i = 0; i < n; i++) y[j] += x[i + 1] * w[i + j + 1];
        for (int i = 1; i < n; i++) y[j] += x[i + 2] * w[i + j + 2];
        for (int i = 0; i < n; i++) y[j] -= x[i + 3] * w[i + j + 3];
    }
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < n; i++) y[j] += x[i] * w[i + j];
        for (int i = 0; i < n; i++) y[j] += x[i + 1] * w[i + j + 1];
        y[j] *= 0.5;
        for (int i = 0; i < n; i++) y[j] += x[i + 2] * w[i + j + 2];
        for (int i = 0; i < n; i++) y[j] += x[i + 3] * w[i + j + 3];
        for (int i = 0; i < n; i++) y[j] += x[i + 4] * w[i + j + 4];
    }
}

// Sweeps whose cells move, upwards and downwards, and that depend on each other.
KERNEL sweeps(int n, int m, double *restrict a, double *restrict b) {
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < n; i++) a[i + t] += 0.25 * b[i + 2 * t];
    for (int t = 3; t >= 0; t--)
        for (int i = 0; i < n; i++) b[i + t] = 0.5 * b[i + t + 1] + a[i];
    for (int t = 0; t < 3; t++)
        for (int i = 1; i < n; i++) a[i] = a[i - 1] * 0.5 + a[i + 1];
    for (int j = 0; j < m; j++)
        for (int t = 0; t < 5; t++)
            for (int i = 0; i < n; i++) a[i] += b[i + t] * a[n + j + t];
}

KERNEL numbers(int n, int m, int *restrict out, int *restrict in, int *restrict w) {
    for (int j = 0; j < m; j++)
        for (int p = 0; p < 2; p++)
            for (int q = 0; q < 2; q++)
                for (int r = 0; r < 2; r++)
                    for (int i = 0; i < n; i++) out[j] += in[i + 4 * p + 2 * q + r + j] * w[8 * i + p + 2 * q + 4 * r] + i;
}

static uint64_t hash(const void *data, size_t bytes) {
    uint64_t h = 1;
    for (size_t k = 0; k < bytes; k++) h = (h ^ ((const unsigned char *)data)[k]) * 0x100000001b3u;
    return h;
}

enum { CELLS = 1 << 16 };
static float f1[CELLS], f2[CELLS], f3[CELLS];
static double d1[CELLS], d2[CELLS], d3[CELLS];
static int i1[CELLS], i2[CELLS], i3[CELLS];

static void fill(void) {
    for (int k = 0; k < CELLS; k++) {
        f1[k] = d1[k] = (k * 37 % 101) * 0.01, f2[k] = d2[k] = (k * 53 % 97) * 0.013, f3[k] = d3[k] = (k * 29 % 89) * 0.017 - 0.7;
        i1[k] = k * 7 % 1001, i2[k] = k * 11 % 907, i3[k] = k * 13 % 809;
    }
}

int main(void) {
    int sizes[] = {0, 1, 2, 3, 5, 8, 16, 19};
    for (unsigned a = 0; a < 8; a++)
        for (unsigned b = 0; b < 8; b++) {
            int c = sizes[a], n = sizes[b] / 2, k = 3 * c + 1;
            fill(), channels_last(c, k, n, (void *)f1, (void *)f2, (void *)f3);
            printf("channels last %d %d %016lx\n", c, n, (unsigned long)hash(f1, sizeof f1));
            fill(), strided(c, k, n, (void *)d1, (void *)d2, (void *)d3);
            printf("strided %d %d %016lx\n", c, n, (unsigned long)hash(d1, sizeof d1));
            n = sizes[b] * 5;
            fill(), almost(n, c, d1, d2, d3);
            printf("almost %d %d %016lx\n", c, n, (unsigned long)hash(d1, sizeof d1));
            fill(), sweeps(n, c, d1, d2);
            printf("sweeps %d %d %016lx %016lx\n", c, n, (unsigned long)hash(d1, sizeof d1), (unsigned long)hash(d2, sizeof d2));
            fill(), numbers(n, c, i1, i2, i3);
            printf("numbers %d %d %016lx\n", c, n, (unsigned long)hash(i1, sizeof i1));
        }
}
