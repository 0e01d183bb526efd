// Operands narrower than the sums they go into: copies hold what widens them, and where nothing is copied vectors are widened in the loop.
// RUN: %clang -O3 -march=native -w %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w %s -o %t.auto -Rpass=loopwright 2> %t.remarks && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %FileCheck %s < %t.remarks
// RUN: %loopwright-clang -O3 -march=native -w -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O2 -march=native -w -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O2 -march=native -w -mllvm -loopwright-policy=random -mllvm -loopwright-seed=8 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// Other vectors than this machine may have, and none of these masks.
// RUN: %clang -O3 -march=x86-64-v2 -w %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=x86-64-v2 -w -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// REQUIRES: x86-64-v2
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define KERNEL __attribute__((noinline)) void

#define PRODUCT(NAME, TA, TB, TC, A_CELL, B_CELL, TERM) \
    KERNEL NAME(int n, int m, int k, TA a[restrict][k + 1], TB b[restrict][k + m], TC c[restrict][m]) { \
        for (int i = 0; i < n; i++) \
            for (int j = 0; j < m; j++) { \
                TC sum = 0; \
                for (int p = 0; p < k; p++) { \
                    TA x = A_CELL; \
                    TB y = B_CELL; \
                    sum += TERM; \
                } \
                c[i][j] = sum; \
            } \
    }

// CHECK: mixed_widths.c:[[#@LINE+1]]:{{.*}}register tile{{.*}}packed operands
PRODUCT(doubles_of_floats, float, float, double, a[i][p], b[p][j], (double)x * y)
// CHECK: mixed_widths.c:[[#@LINE+1]]:{{.*}}register tile{{.*}}packed operands
PRODUCT(second_transposed, float, float, double, a[i][p], b[j][p], (double)x * y)
// CHECK: mixed_widths.c:[[#@LINE+1]]:{{.*}}register tile{{.*}}packed operands
PRODUCT(one_is_wide, float, double, double, a[i][p], b[p][j], x * y)
// CHECK: mixed_widths.c:[[#@LINE+1]]:{{.*}}register tile{{.*}}packed operands
PRODUCT(bytes, int8_t, int8_t, int32_t, a[i][p], b[p][j], x * y)
// CHECK: mixed_widths.c:[[#@LINE+1]]:{{.*}}register tile{{.*}}packed operands
PRODUCT(bytes_transposed, int8_t, uint8_t, int32_t, a[i][p], b[j][p], x * y)
// CHECK: mixed_widths.c:[[#@LINE+1]]:{{.*}}register tile{{.*}}packed operands
PRODUCT(numbers, int16_t, uint8_t, float, a[i][p], b[p][j], (float)x * y)
PRODUCT(long_sums, int32_t, int16_t, int64_t, a[i][p], b[p][j], (int64_t)x * y)
// Widened twice, by way of what the copies hold.
PRODUCT(by_way_of_int, uint8_t, int8_t, double, a[i][p], b[p][j], (double)(x + 3) * (float)y)
// What is stored is narrower than what is read.
PRODUCT(narrowed, double, float, float, a[i][p], b[p][j], x * y)

KERNEL differences(int n, int m, int k, float a[restrict][k + 1], float b[restrict][k + m], double c[restrict][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m && j <= i; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++) {
                double d = (double)a[i][p] - a[j][p];
                sum += d * d;
            }
            c[i][j] = sum;
        }
}

KERNEL sums(int n, int m, int k, float a[restrict][k + 1], double b[restrict], double c[restrict]) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int p = 0; p < k; p++) s += a[i][p] * b[p];
        c[i] = s;
    }
    for (int p = 0; p < k; p++) {
        double s = 0;
        for (int i = 0; i < n; i++) s += a[i][p] * b[i];
        c[n + p] = s;
    }
}

KERNEL filter(int n, int m, int k, uint8_t in[restrict][m + k], int16_t f[restrict][k], int32_t out[restrict][m]) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++) {
            int32_t sum = 0;
            for (int p = 0; p < k; p++)
                for (int q = 0; q < k; q++) sum += in[y + p][x + q] * f[p][q];
            out[y][x] = sum;
        }
}

static double a[1 << 17], b[1 << 17], c[1 << 17];

// Patterns that are small numbers in every type: floats need bits of their own.
static void fill(int floats) {
    for (int i = 0; i < 1 << 17; i++) {
        if (floats & 1) ((float *)a)[i] = (i * 37 % 101 - 50) * 0.01f;
        if (floats & 2) ((float *)b)[i] = (i * 53 % 97 - 40) * 0.013f;
        if (floats & 4) a[i] = (i * 37 % 101 - 50) * 0.01;
        if (floats & 8) b[i] = (i * 53 % 97 - 40) * 0.013;
    }
    for (size_t i = 0; i < sizeof a; i++) {
        if (!(floats & 5)) ((uint8_t *)a)[i] = i * 37 % 251;
        if (!(floats & 10)) ((uint8_t *)b)[i] = i * 53 % 241;
    }
    memset(c, 0x5a, sizeof c);
}

static void print(const char *name, int n, int m, int k) {
    uint64_t h = 1;
    for (size_t i = 0; i < sizeof c; i++) h = (h ^ ((const unsigned char *)c)[i]) * 0x100000001b3u;
    printf("%s %d %d %d %016lx\n", name, n, m, k, (unsigned long)h);
}

#define RUN(NAME, FLOATS) fill(FLOATS), NAME(n, m, k, (void *)a, (void *)b, (void *)c), print(#NAME, n, m, k)

int main(void) {
    int sizes[][3] = {{0, 3, 3}, {1, 1, 1}, {3, 5, 2}, {7, 9, 8}, {16, 16, 16}, {17, 33, 5}, {20, 50, 40}, {33, 18, 129}, {130, 133, 131}, {129, 150, 140}};
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int n = sizes[s][0], m = sizes[s][1], k = sizes[s][2];
        RUN(doubles_of_floats, 3), RUN(second_transposed, 3), RUN(one_is_wide, 9), RUN(bytes, 0), RUN(bytes_transposed, 0);
        RUN(numbers, 0), RUN(long_sums, 0), RUN(by_way_of_int, 0), RUN(narrowed, 6), RUN(differences, 3), RUN(sums, 9), RUN(filter, 0);
    }
}
