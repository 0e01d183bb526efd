// What lies side by side: pixels of a few colours, complex numbers, loops unrolled by hand. One loop walks over all of it, whatever the source makes of the parts: a loop, statements one after the other, sums of all in
// one loop, sums that have no cell of the program's.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=2 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=7 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <stdio.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void

// CHECK: interleaved.c:[[#@LINE+2]]:5: remark: neighbours joined in one loop{{.*}}register tile
KERNEL colours(int n, int m, float o[n][n][3], float x[n + m][n + m][3], float w[m][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float r = 0, g = 0, b = 0;
            for (int u = 0; u < m; u++)
                for (int v = 0; v < m; v++) {
                    r += x[i + u][j + v][0] * w[u][v];
                    g += x[i + u][j + v][1] * w[u][v];
                    b += x[i + u][j + v][2] * w[u][v];
                }
            // The last one first.
            o[i][j][2] = b, o[i][j][1] = g, o[i][j][0] = r;
        }
}

// CHECK: interleaved.c:[[#@LINE+2]]:5: remark: neighbours joined in one loop{{.*}}register tile
KERNEL in_a_loop(int n, int m, double o[n][n][4], double x[n + m][n + m][4], double w[m][m]) {
    for (int i = 1; i < n; i++)
        for (int j = 2; j < n; j++)
            for (int c = 0; c < 4; c++) {
                double s = 0;
                for (int u = 0; u < m; u++)
                    for (int v = 0; v < m; v++) s += x[i + u][j + v][c] * w[u][v];
                o[i][j][c] = s;
            }
}

typedef struct {
    unsigned char r, g, b;
} Pixel;

// CHECK: interleaved.c:[[#@LINE+2]]:5: remark: neighbours joined in one loop{{.*}}register tile
KERNEL box(int w, int h, int R, Pixel *o, Pixel *x) {
    for (int y = R; y < h - R; y++)
        for (int j = R; j < w - R; j++) {
            int r = 0, g = 0, b = 0, all = (2 * R + 1) * (2 * R + 1);
            for (int u = -R; u <= R; u++)
                for (int v = -R; v <= R; v++) {
                    Pixel p = x[(y + u) * w + j + v];
                    r += p.r, g += p.g, b += p.b;
                }
            o[y * w + j] = (Pixel){r / all, g / all, b / all};
        }
}

// CHECK: interleaved.c:[[#@LINE+2]]:5: remark: neighbours joined in one loop
KERNEL complex_signal(int n, int m, float *o, float *x, float *w) {
    for (int i = 0; i < n; i++) {
        float re = 0, im = 0;
        for (int k = 0; k < m; k++) re += x[2 * (i + k)] * w[k], im += x[2 * (i + k) + 1] * w[k];
        o[2 * i] = re, o[2 * i + 1] = im;
    }
}

// CHECK: interleaved.c:[[#@LINE+2]]:5: remark: neighbours joined in one loop
KERNEL nine(int n, float o[n][n][3], float x[n + 2][n + 2][3], float w[3][3]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int c = 0; c < 3; c++) {
                float s = 0;
                for (int u = 0; u < 3; u++)
                    for (int v = 0; v < 3; v++) s += x[i + u][j + v][c] * w[u][v];
                o[i][j][c] = s * 0.125f;
            }
}

// Each part waits for the one before: the order stays.
KERNEL by_hand(int n, double *s, double *x) {
    for (int j = 1; j < n; j++) {
        s[4 * j] = s[4 * j - 1] * 0.5 + x[4 * j];
        s[4 * j + 1] = s[4 * j] * 0.5 + x[4 * j + 1];
        s[4 * j + 2] = s[4 * j + 1] * 0.5 + x[4 * j + 2];
        s[4 * j + 3] = s[4 * j + 2] * 0.5 + x[4 * j + 3];
    }
}

// The first part reads what the second has stored in the iteration before: no part can run by itself.
KERNEL crossed(int n, int m, int *s) {
    for (int j = 0; j < n; j++)
        for (int v = 0; v < m; v++) {
            s[2 * j] += s[2 * j + 1] * 3;
            s[2 * j + 1] += s[2 * j + 2] ^ v;
        }
}

// The second colour is written from the first: no family.
KERNEL mixed(int n, float o[n][3], float x[n + 9][3]) {
    for (int j = 0; j < n; j++) {
        float r = 0, g = 0, b = 0;
        for (int v = 0; v < 9; v++) r += x[j + v][0], g += x[j + v][0], b += x[j + v][2];
        o[j][0] = r, o[j][1] = g, o[j][2] = b;
    }
}

#define MOST 61
#define PARTS 4

int main(void) {
    size_t cells = (size_t)(MOST + 16) * (MOST + 16) * PARTS;
    double *o = malloc(cells * 8), *x = malloc(cells * 8), *w = malloc(64 * 8);
    int sizes[][2] = {{1, 3}, {1, 1}, {2, 5}, {7, 3}, {16, 5}, {33, 7}, {50, 2}, {MOST, 5}, {40, 1}};
    uint64_t h = 1;
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int n = sizes[k][0], m = sizes[k][1];
        for (int kernel = 0; kernel < 8; kernel++) {
            int is_double = kernel == 1 || kernel == 5;
            for (size_t c = 0; c < cells; c++) {
                double value = (double)((c * 2654435761u + kernel) >> 7 & 1023) / 64 - 8;
                if (is_double) o[c] = 1, x[c] = value;
                else ((float *)o)[c] = 1, ((float *)x)[c] = value;
            }
            for (int c = 0; c < 64; c++)
                if (is_double) w[c] = 1.0 / (c + 3);
                else ((float *)w)[c] = 1.0f / (c + 3);
            switch (kernel) {
            case 0: colours(n, m, (void *)o, (void *)x, (void *)w); break;
            case 1: in_a_loop(n, m, (void *)o, (void *)x, (void *)w); break;
            case 2: box(n, n, m, (void *)o, (void *)x); break;
            case 3: complex_signal(n, m, (void *)o, (void *)x, (void *)w); break;
            case 4: nine(n, (void *)o, (void *)x, (void *)w); break;
            case 5: by_hand(n, o, x); break;
            case 6: crossed(n, m, (void *)o); break;
            case 7: mixed(n, (void *)o, (void *)x); break;
            }
            h = hash(h, o, cells * 8);
            printf("%d %d %llx\n", n, kernel, (unsigned long long)h);
        }
    }
    return 0;
}
