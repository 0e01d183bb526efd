// Values that one comparison changes together (`if (s < best) { best = s; place = k; }`): the place asks for the old value behind the new one. Nearest centres, the greatest of rows and columns, paths of a
// hidden Markov model; chains of three, exchanges, which cannot be ordered, and numbers that are none.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <math.h>
#include <stdio.h>

#define MOST 70
#define KERNEL __attribute__((noinline)) static void

// CHECK: nearest.c:[[#@LINE+2]]:5: remark: {{.*}}register tile
KERNEL centres(int n, int m, int d, int label[n], double best[n], double x[n][MOST], double c[][MOST]) {
    for (int i = 0; i < n; i++) {
        double b = 1e30;
        int l = -1;
        for (int k = 0; k < m; k++) {
            double s = 0;
            for (int t = 0; t < d; t++) s += (x[i][t] - c[k][t]) * (x[i][t] - c[k][t]);
            if (s < b) b = s, l = k;
        }
        label[i] = l, best[i] = b;
    }
}

// CHECK: nearest.c:[[#@LINE+2]]:5: remark: {{.*}}lanes
KERNEL of_rows(int n, int m, int label[n], float best[n], float x[n][MOST]) {
    for (int i = 0; i < n; i++) {
        float b = x[i][0];
        int l = 0;
        for (int k = 1; k < m; k++)
            if (x[i][k] > b) b = x[i][k], l = k;
        label[i] = l, best[i] = b;
    }
}

// CHECK: nearest.c:[[#@LINE+2]]:5: remark: {{.*}}lanes
KERNEL of_columns(int n, int m, int label[n], float x[][MOST]) {
    for (int i = 0; i < n; i++) {
        float b = -INFINITY;
        int l = -1;
        for (int k = 0; k < m; k++)
            if (x[k][i] >= b) b = x[k][i], l = k;
        label[i] = l;
    }
}

// CHECK: nearest.c:[[#@LINE+2]]:5: remark: {{.*}}lanes
KERNEL path(int steps, int states, float p[steps][MOST], int back[steps][MOST], float next[][MOST], float seen[steps][MOST]) {
    for (int t = 1; t < steps; t++)
        for (int s = 0; s < states; s++) {
            float b = -1e30f;
            int l = 0;
            for (int r = 0; r < states; r++)
                if (p[t - 1][r] + next[r][s] > b) b = p[t - 1][r] + next[r][s], l = r;
            p[t][s] = b + seen[t][s], back[t][s] = l;
        }
}

// The two least ones and the place of the second: each takes what the one before it was.
KERNEL two_least(int n, int m, float first[n], float second[n], int label[n], float x[n][MOST]) {
    for (int i = 0; i < n; i++) {
        float a = 1e30f, b = 1e30f;
        int l = -1;
        for (int k = 0; k < m; k++)
            if (x[i][k] < a) b = a, a = x[i][k], l = k - l;
            else if (x[i][k] < b) b = x[i][k];
        first[i] = a, second[i] = b, label[i] = l;
    }
}

// Each takes what the other was.
KERNEL exchanged(int n, int m, float first[n], float second[n], float x[n][MOST]) {
    for (int i = 0; i < n; i++) {
        float a = 0, b = 1;
        for (int k = 0; k < m; k++)
            if (x[i][k] > 0) {
                float t = a + x[i][k];
                a = b * 0.5f, b = t;
            }
        first[i] = a, second[i] = b;
    }
}

// What the loop stores besides is the new value, or the old one.
KERNEL history(int n, int m, int label[n], float best[n], float x[n][MOST], float news[n][MOST], float olds[n][MOST]) {
    for (int i = 0; i < n; i++) {
        float b = 3;
        int l = 0;
        for (int k = 0; k < m; k++) {
            olds[i][k] = b + l;
            if (x[i][k] < b) b = x[i][k], l = k;
            news[i][k] = b - l;
        }
        label[i] = l, best[i] = b;
    }
}

static float xs[MOST][MOST], ys[MOST][MOST], zs[MOST][MOST], first[MOST], second[MOST];
static double xd[MOST][MOST], cd[MOST][MOST], best[MOST];
static int label[MOST], back[MOST][MOST];

static uint64_t all(uint64_t h) {
    h = hash(h, xs, sizeof xs), h = hash(h, ys, sizeof ys), h = hash(h, zs, sizeof zs), h = hash(h, first, sizeof first);
    return hash(hash(hash(hash(h, second, sizeof second), best, sizeof best), label, sizeof label), back, sizeof back);
}

int main(void) {
    int sizes[][3] = {{1, 0, 1}, {1, 1, 0}, {3, 2, 1}, {8, 8, 3}, {17, 5, 9}, {33, 40, 16}, {64, 64, 64}, {MOST, 69, 33}};
    uint64_t h = 1;
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int n = sizes[k][0], m = sizes[k][1], d = sizes[k][2];
        for (int kernel = 0; kernel < 7; kernel++) {
            for (int i = 0; i < MOST; i++)
                for (int j = 0; j < MOST; j++) {
                    // Few values, so that there are equal ones; some that are no numbers, in some sizes.
                    int v = (int)(((i * 71 + j) * 2654435761u + kernel * 977) >> 13 & 31) - 12;
                    xd[i][j] = xs[i][j] = k % 2 && v == 7 ? NAN : v, cd[i][j] = ys[i][j] = (v * 5) % 11, zs[i][j] = v / 2;
                }
            switch (kernel) {
            case 0: centres(n, m, d, label, best, xd, cd); break;
            case 1: of_rows(n, m, label, first, xs); break;
            case 2: of_columns(n, m, label, xs); break;
            case 3: path(n, m, xs, back, ys, zs); break;
            case 4: two_least(n, m, first, second, label, xs); break;
            case 5: exchanged(n, m, first, second, xs); break;
            case 6: history(n, m, label, first, xs, ys, zs); break;
            }
            h = all(h);
            printf("%d %d %llx\n", n, kernel, (unsigned long long)h);
        }
    }
    return 0;
}
