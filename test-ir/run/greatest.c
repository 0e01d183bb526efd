// Loops that begin at the greatest of several numbers and end at the least: convolutions, windows with a border, matrices that are bands, in storage of bands, too; minima and maxima that LLVM leaves as choices; counters of all
// widths; where several statements run, values come from earlier iterations, and nothing runs at all.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=2 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <stdint.h>
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static void
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

// CHECK: greatest.c:[[#@LINE+2]]:5: remark: {{.*}}register tile
KERNEL full(int n, int m, double *restrict y, double *restrict x, double *restrict w) {
    for (int i = 0; i < n + m - 1; i++) {
        double s = 0;
        for (int k = MAX(0, i - n + 1); k <= MIN(i, m - 1); k++) s += w[k] * x[i - k];
        y[i] = s;
    }
}

// CHECK: greatest.c:[[#@LINE+2]]:5: remark: {{.*}}register tile
KERNEL full_by_choices(int n, int m, double *restrict y, double *restrict x, double *restrict w) {
    for (int i = 0; i < n + m - 1; i++) {
        y[i] = 0;
        int first = i >= m - 1 ? i - (m - 1) : 0, last = i < n - 1 ? i : n - 1;
        for (int k = first; k <= last; k++) y[i] += x[k] * w[i - k];
    }
}

// Counted from where the window begins.
// CHECK: greatest.c:[[#@LINE+2]]:5: remark: {{.*}}register tile
KERNEL same(int n, int r, float *restrict y, float *restrict x, float *restrict w) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = MAX(0, i - r); k <= MIN(n - 1, i + r); k++) s += x[k] * w[k - i + r];
        y[i] = s;
    }
}

// CHECK: greatest.c:[[#@LINE+2]]:5: remark: {{.*}}register tile of
KERNEL box(int n, int r, float (*restrict y)[n], float (*restrict x)[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int u = MAX(0, i - r); u <= MIN(n - 1, i + r); u++)
                for (int v = MAX(0, j - r); v <= MIN(n - 1, j + r); v++) s += x[u][v];
            y[i][j] = s;
        }
}

KERNEL mean_of_nine(int n, float (*restrict y)[n], float (*restrict x)[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            int count = 0;
            for (int u = MAX(0, i - 1); u <= MIN(n - 1, i + 1); u++)
                for (int v = MAX(0, j - 1); v <= MIN(n - 1, j + 1); v++) s += x[u][v], count++;
            y[i][j] = s / count;
        }
}

// What is used again by all columns is read where it is.
// CHECK: greatest.c:[[#@LINE+2]]:5: remark: {{.*}}register tile {{[0-9]+}}x
KERNEL band_times(int n, int w, double (*restrict c)[n], double (*restrict a)[n], double (*restrict b)[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = MAX(0, i - w); k <= MIN(n - 1, i + w); k++) s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

KERNEL banded(int n, int below, int above, int columns, double *y, double *a, double *x) {
    for (int j = 0; j < n; j++)
        for (int i = MAX(0, j - above); i < MIN(n, j + below + 1); i++) y[i] += a[j * columns + above + i - j] * x[j];
}

// CHECK: greatest.c:[[#@LINE+2]]:5: remark: {{.*}}register tile
KERNEL eliminated(int n, int w, double (*restrict a)[n]) {
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < MIN(n, k + w + 1); i++) {
            a[i][k] *= 0.25 * a[k][k];
            for (int j = k + 1; j < MIN(n, k + w + 1); j++) a[i][j] -= a[i][k] * a[k][j];
        }
}

KERNEL solved(int n, int w, double (*restrict a)[n], double *restrict x) {
    for (int i = 0; i < n; i++) {
        double s = x[i];
        for (int j = MAX(0, i - w); j < i; j++) s -= a[i][j] * x[j];
        x[i] = s * 0.5;
    }
}

KERNEL warped(int n, int w, float (*restrict d)[n], float (*restrict c)[n]) {
    for (int i = 1; i < n; i++)
        for (int j = MAX(1, i - w); j < MIN(n, i + w); j++) {
            float least = d[i - 1][j - 1];
            least = MIN(least, d[i - 1][j]);
            least = MIN(least, d[i][j - 1]);
            d[i][j] = c[i][j] + least;
        }
}

// The value of the iteration before, which begins anew in each window; the counter behind the loop; unsigned and wide counters.
KERNEL carried(int n, int w, float (*restrict d)[n], float (*restrict c)[n]) {
    for (int i = 0; i < n; i++) {
        float before = 0.5f;
        for (int j = MAX(0, i - w); j < MIN(n, i + w); j++) {
            d[i][j] = before + c[i][j];
            before = c[i][j];
        }
    }
}

KERNEL counted(int n, int w, long *restrict o, float (*restrict c)[n]) {
    for (int i = 0; i < n; i++) {
        long j = MAX(2, (long)i - w), first = j;
        for (; j < n; j++) c[i][j] += 1;
        o[i] = 1000 * first + j;
    }
}

KERNEL three(long n, long w, unsigned *restrict y, unsigned *restrict x) {
    for (long i = 0; i < n; i++)
        for (long k = MAX(MAX(1, i - w), w - i); k < MIN(MIN(n, i + w), 3 * w); k += 2) y[i] += x[k] * 3u + x[i];
}

static double a[140 * 140], b[140 * 140], c[140 * 140], x[600], y[600], v[600];
static float p[140 * 140], q[140 * 140], t[600], f[600];
static unsigned u[600], z[600];
static long l[600];

static void fill(unsigned seed) {
    for (size_t i = 0; i < 140 * 140; i++)
        seed = seed * 1664525 + 1013904223, a[i] = (seed >> 20) / 40000.0, b[i] = (seed >> 18 & 4095) / 3000.0 - 0.5, c[i] = i, p[i] = a[i], q[i] = b[i];
    for (size_t i = 0; i < 600; i++) x[i] = b[3 * i], y[i] = a[5 * i], v[i] = b[7 * i + 1], t[i] = x[i], f[i] = v[i], u[i] = seed + i * i, z[i] = i, l[i] = i;
}

#define SHOW(name, array) printf("%s %d %d %lx\n", name, n, w, hash(1, array, sizeof array))

int main(void) {
    static const int sizes[] = {0, 1, 2, 3, 5, 8, 9, 16, 17, 33, 64, 65, 100, 131}, widths[] = {-2, -1, 0, 1, 2, 3, 7, 16, 31, 60, 140};
    for (int s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int k = s % 2; k < sizeof widths / sizeof *widths; k += 2) {
            int n = sizes[s], w = widths[k], positive = MAX(w, 0);
            fill(s), full(n, positive, y, x, v), SHOW("full", y);
            fill(s), full_by_choices(n, positive, y, x, v), SHOW("full by choices", y);
            fill(s), same(n, w, f, t, p), SHOW("same", f);
            fill(s), box(n, w, (void *)p, (void *)q), SHOW("box", p);
            fill(s), mean_of_nine(n, (void *)p, (void *)q), SHOW("mean of nine", p);
            fill(s), band_times(n, w, (void *)c, (void *)a, (void *)b), SHOW("band times", c);
            if (positive <= 60) fill(s), banded(n, w, positive, positive + MAX(w, 0) + 1 + s % 3, y, a, x), SHOW("banded", y);
            fill(s), banded(MIN(n, 100), positive, w, 3, y, a, x), SHOW("overlapping", y);
            fill(s), eliminated(n, w, (void *)b), SHOW("eliminated", b);
            fill(s), solved(n, w, (void *)b, x), SHOW("solved", x);
            fill(s), warped(n, w, (void *)p, (void *)q), SHOW("warped", p);
            fill(s), carried(n, w, (void *)p, (void *)q), SHOW("carried", p);
            fill(s), counted(n, w, l, (void *)p), SHOW("counted", l), SHOW("counted", p);
            fill(s), three(n, positive, u, z), SHOW("three", u);
        }
}
