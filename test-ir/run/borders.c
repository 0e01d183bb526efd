// Filters with borders whose terms are unrolled: a sum that changes in several steps under conditions on counters, in one and two dimensions, with and without channels, of all types, whatever it starts with and
// is used for; jumps that LLVM threads; pictures smaller than the filter.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=2 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -march=x86-64-v3 -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -march=x86-64-v3 -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// REQUIRES: x86-64-v3
#include "hash.h"
#include <stdint.h>
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static void

// CHECK: borders.c:[[#@LINE+3]]:5: remark: {{.*}}register tile
KERNEL channels(int n, int m, int ci, int co, float o[restrict co][n][m], float x[restrict ci][n][m],
                float w[restrict co][ci][3][3]) {
    for (int e = 0; e < co; e++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                float s = 0;
                for (int d = 0; d < ci; d++)
                    for (int u = 0; u < 3; u++)
                        for (int v = 0; v < 3; v++) {
                            int y = i + u - 1, z = j + v - 1;
                            if (y >= 0 && y < n && z >= 0 && z < m) s += x[d][y][z] * w[e][d][u][v];
                        }
                o[e][i][j] = s;
            }
}

// CHECK: borders.c:[[#@LINE+3]]:5: remark: {{.*}}register tile
KERNEL five(int n, int m, int ci, int co, double o[restrict co][n][m], double x[restrict ci][n][m],
            double w[restrict co][ci][5][5]) {
    for (int e = 0; e < co; e++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                double s = o[e][i][j];
                for (int d = 0; d < ci; d++)
                    for (int u = 0; u < 5; u++)
                        for (int v = 0; v < 5; v++) {
                            int y = i + u - 2, z = j + v - 2;
                            if (y >= 0 && y < n && z >= 0 && z < m) s += x[d][y][z] * w[e][d][u][v];
                        }
                o[e][i][j] = s;
            }
}

#define PLANE(NAME, T, K, START, END) \
    KERNEL NAME(int n, int m, T o[restrict n][m], T x[restrict n][m], T w[restrict K][K]) { \
        for (int i = 0; i < n; i++) \
            for (int j = 0; j < m; j++) { \
                T s = START; \
                for (int u = 0; u < K; u++) { \
                    if (i + u - K / 2 < 0 || i + u - K / 2 >= n) continue; \
                    for (int v = 0; v < K; v++) { \
                        if (j + v - K / 2 < 0 || j + v - K / 2 >= m) continue; \
                        s += x[i + u - K / 2][j + v - K / 2] * w[u][v]; \
                    } \
                } \
                o[i][j] = END; \
            } \
    }
PLANE(plane_3, float, 3, 0, s)
PLANE(plane_5, float, 5, 0, s)
PLANE(plane_2, double, 2, 1, s)
PLANE(plane_4, int, 4, 7, s * 3)
PLANE(plane_bytes, int8_t, 3, 0, s)
PLANE(plane_long, int64_t, 3, o[i][j], s < 0 ? -s : s)

#define LINE(NAME, T, K, PAD, START, END) \
    KERNEL NAME(int n, T *restrict o, T *restrict x, T *restrict w) { \
        for (int i = 0; i < n; i++) { \
            T s = START; \
            for (int u = 0; u < K; u++) \
                if (i + u - PAD >= 0 && i + u - PAD < n) s += x[i + u - PAD] * w[u]; \
            o[i] = END; \
        } \
    }
LINE(line_3, float, 3, 1, 0, s)
LINE(line_5, double, 5, 2, 0, s + 1)
LINE(line_7, float, 7, 6, o[i], s)
LINE(line_4, int, 4, 1, 0, s)
LINE(line_short, int16_t, 5, 2, 3, s)

// Steps that go both ways, and another sum beside.
KERNEL two_sums(int n, double *restrict o, double *restrict p, double *restrict x) {
    for (int i = 0; i < n; i++) {
        double s = 0, t = 1;
        if (i > 0) s += x[i - 1];
        if (i + 1 < n) t *= x[i + 1];
        s -= x[i] * 0.5;
        if (i > 1) s = s * 2 + x[i - 2];
        if (i + 2 < n) s += x[i + 2], t += s;
        o[i] = s;
        p[i] = t - s;
    }
}

// The sum is used between its steps.
KERNEL between(int n, float *restrict o, float *restrict p, float *restrict x) {
    for (int i = 0; i < n; i++) {
        float s = x[i];
        if (i > 2) s += x[i - 3];
        p[i] = s * s;
        if (i + 3 < n) s += x[i + 3] * p[i];
        o[i] = s;
    }
}

// The cell is read while the sum grows, and belongs to what is added.
KERNEL own_cell(int n, float *o, float *x) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        if (i > 0) s += o[i - 1];
        s += x[i];
        if (i + 1 < n) s += o[i + 1] + o[i];
        o[i] = s;
    }
}

// Something else is stored to the cell between the steps, and behind them.
KERNEL stored_between(int n, int m, double o[restrict n][m], double x[restrict n][m], double *restrict w) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0;
            for (int d = 0; d < n; d++) {
                if (j + d >= 5) s += x[d][j] * w[0];
                if (j + d < 30) s += x[d][j] * w[1];
            }
            if (j >= 5) s += x[i][j] * w[0], o[i][j] = 7;
            if (j < 30) s += x[i][j] * w[1];
            if (i < 20) s += x[i][j] * w[2];
            o[i][j] = s;
            if (i > 3 && j > 4) o[i][j] = s + o[i][j - 1];
        }
}

// Some ways end early.
KERNEL early_ends(int n, int m, float o[restrict n][m], float x[restrict n][m], float *restrict w) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 1;
            if (i > 0) s += x[i - 1][j] * w[0];
            if (j == 0) {
                o[i][j] = s;
                continue;
            }
            s += x[i][j - 1] * w[1];
            if (i + 1 < n) s += x[i + 1][j] * w[2];
            if (j + 1 == m) {
                o[i][j] = s * 2;
                continue;
            }
            s += x[i][j + 1] * w[3];
            o[i][j] = s;
        }
}

enum { CELLS = 9 * 40 * 70 };
static double o[CELLS], p[CELLS], x[CELLS], w[9 * 3 * 25];

static void fill(void *memory, int kind, int count, int seed) {
    for (int i = 0; i < count; i++) {
        unsigned r = ((unsigned)i * 2654435761u ^ seed * 40503u) >> 9;
        switch (kind) {
        case 0: ((float *)memory)[i] = (int)(r % 37) * 0.37f - 6; break;
        case 1: ((double *)memory)[i] = (int)(r % 41) * 0.29 - 6; break;
        default: ((uint8_t *)memory)[i] = r % 11 == 0 ? 200 : r % 5; break;
        }
    }
}

static void fill_all(int kind, int seed) {
    int bytes = kind == 0 ? 4 : kind == 1 ? 8 : 1;
    fill(o, kind, sizeof o / bytes, seed), fill(p, kind, sizeof p / bytes, seed + 1);
    fill(x, kind, sizeof x / bytes, seed + 2), fill(w, kind, sizeof w / bytes, seed + 3);
}

#define TRY(KIND, CALL) fill_all(KIND, n + m), CALL, printf("%s %016llx\n", #CALL, (unsigned long long)hash(hash(7, o, sizeof o), p, sizeof p))

int main(void) {
    static const int sizes[] = {0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 32, 40};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    for (int a = 0; a < SIZES; a++)
        for (int b = 0; b < SIZES; b += 1 + a % 3) {
            int n = sizes[a], m = sizes[b] + (b == SIZES - 1 ? 27 : 0);
            TRY(0, channels(n, m, 3, 9, (void *)o, (void *)x, (void *)w));
            TRY(0, channels(n, m, a % 3, 1 + b % 4, (void *)o, (void *)x, (void *)w));
            TRY(1, five(n, m, 1 + a % 2, 3 + b % 6, (void *)o, (void *)x, (void *)w));
            TRY(0, plane_3(n, m, (void *)o, (void *)x, (void *)w));
            TRY(0, plane_5(n, m, (void *)o, (void *)x, (void *)w));
            TRY(1, plane_2(n, m, (void *)o, (void *)x, (void *)w));
            TRY(2, plane_4(n, m, (void *)o, (void *)x, (void *)w));
            TRY(2, plane_bytes(n, m, (void *)o, (void *)x, (void *)w));
            TRY(1, stored_between(n, m, (void *)o, (void *)x, w));
            TRY(0, early_ends(n, m, (void *)o, (void *)x, (void *)w));
            TRY(2, plane_long(n, m, (void *)o, (void *)x, (void *)w));
        }
    for (int n = 0; n < 140; n += n < 40 ? 1 : 13) {
        int m = 0;
        TRY(0, line_3(n, (void *)o, (void *)x, (void *)w));
        TRY(1, line_5(n, (void *)o, (void *)x, (void *)w));
        TRY(0, line_7(n, (void *)o, (void *)x, (void *)w));
        TRY(2, line_4(n, (void *)o, (void *)x, (void *)w));
        TRY(2, line_short(n, (void *)o, (void *)x, (void *)w));
        TRY(1, two_sums(n, o, p, x));
        TRY(0, between(n, (void *)o, (void *)p, (void *)x));
        TRY(0, own_cell(n, (void *)o, (void *)x));
        TRY(0, own_cell(n, somewhere(o), (float *)o + 1));
    }
}
