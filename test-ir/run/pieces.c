// Subscripts that are affine piece by piece: clamped and mirrored borders, closed grids and rings, by minima, remainders, comparisons and branches, of counters of all kinds; what is stored to so, what is read after it was stored
// to, and windows of any size, also larger than what they go over.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=5 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -ffp-contract=off -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -ffp-contract=off -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -ffp-contract=off -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
#include "windows.h"
#include <stddef.h>

static const int pictures[][4] = {
    {0, 0, 1, 1}, {0, 5, 1, 1}, {5, 0, 1, 1}, {1, 1, 0, 0}, {1, 1, 1, 1}, {1, 2, 1, 3}, {2, 1, 2, 3}, {2, 2, 0, 1}, {3, 2, 3, 1}, {3, 3, 1, 2}, {4, 4, 2, 2}, {5, 3, 4, 4}, {7, 9, 1, 1},
    {12, 12, 2, 2}, {16, 17, 1, 2}, {20, 20, 3, 3}, {24, 13, 1, 0}, {33, 35, 1, 1}, {36, 40, 1, 2}, {40, 36, 2, 2}, {5, 6, 9, 9}, {6, 48, 4, 12}, {64, 65, 3, 2},
};

static inline int clamped(int p, int n) { return p < 0 ? 0 : p >= n ? n - 1 : p; }
static inline int mirrored(int p, int n) { return p < 0 ? -p : p >= n ? 2 * n - 2 - p : p; }
static inline int modulo(int p, int n) { return (p % n + n) % n; }
static inline int wrapped(int p, int n) {
    if (p < 0) p += n;
    if (p >= n) p -= n;
    return p;
}
#define BY(i, r) for (int i = -(r); i <= (r); i++)
#define FLATTENED(T) SIZES, T *out, T *in, T *f, T *more

#define FILTER(name, T, U, V, PLACE)                                                                                              \
    KERNEL name(FLATTENED(T)) {                                                                                                   \
        POINTS {                                                                                                                  \
            T s = 0;                                                                                                              \
            BY(p, U) BY(q, V) s += f[(p + U) * (2 * V + 1) + q + V] * in[PLACE(i + p, h) * w + PLACE(j + q, w)];                  \
            out[i * w + j] = s;                                                                                                   \
        }                                                                                                                         \
    }
FILTER(clamped_filter, float, u, v, clamped)
FILTER(clamped_by_three, float, 1, 1, clamped)
FILTER(clamped_by_five, double, 2, 2, clamped)
FILTER(clamped_bytes, byte, 1, 1, clamped)

#define LINE(name, T, INDEX, PLACE)                                                                                               \
    KERNEL name(FLATTENED(T)) {                                                                                                   \
        for (INDEX j = 0; j < w; j++) out[j] = in[PLACE(j - 1)] + in[j] * 3 - in[PLACE(j + 1)];                                   \
    }
#define REMAINDER(p) ((p + w) % w)
#define CHOSEN(p) (p < 0 ? w - 1 : p == w ? 0 : p)
#define CLAMPED(p) clamped(p, w)
#define MODULO(p) modulo(p, w)
#define WRAPPED(p) wrapped(p, w)
LINE(ring, double, int, REMAINDER)
LINE(ring_of_long, float, long, REMAINDER)
LINE(ring_of_short, float, short, REMAINDER)
LINE(ring_by_choice, double, int, CHOSEN)
LINE(ring_by_modulo, int, int, MODULO)
LINE(ring_by_ifs, int, int, WRAPPED)
LINE(clamped_line, double, int, CLAMPED)
LINE(clamped_shorts, short, int, CLAMPED)

KERNEL grid(FLATTENED(double)) {
    POINTS out[i * w + j] = in[(i + 1) % h * w + j] + in[(i - 1 + h) % h * w + j] + in[i * w + (j + 1) % w] + in[i * w + (j - 1 + w) % w] - 4 * in[i * w + j];
}
KERNEL grid_without_sign(unsigned h, unsigned w, int u, int v, int tall, int wide, double *out, double *in, double *f, double *more) {
    for (unsigned i = 0; i < h; i++)
        for (unsigned j = 0; j < w; j++) out[i * w + j] = in[(i + 1) % h * w + j] + in[(i + h - 1) % h * w + j] + in[i * w + (j + 1) % w] - in[i * w + (j + w - 1) % w];
}
KERNEL grid_of_sizes(size_t h, size_t w, int u, int v, int tall, int wide, float *restrict out, float *restrict in, float *f, float *more) {
    for (size_t i = 0; i < h; i++)
        for (size_t j = 0; j < w; j++) out[i * w + j] = in[(i + 1) % h * w + j] + in[(i + h - 1) % h * w + j] + in[i * w + (j + 1) % w] - in[i * w + (j + w - 1) % w];
}
KERNEL grid_of_rows(SIZES, double (*out)[w], double (*in)[w], double *f, double *more) {
    POINTS {
        int below = i == h - 1 ? 0 : i + 1, above = i == 0 ? h - 1 : i - 1, right = j == w - 1 ? 0 : j + 1, left = j == 0 ? w - 1 : j - 1;
        out[i][j] = in[below][j] - in[above][j] + in[i][right] * in[i][left];
    }
}
KERNEL masked(SIZES, float (*out)[64], float (*in)[64], float *f, float *more) {
    LOOP(i, 64) LOOP(j, 64) out[i][j] = in[(i + 1) & 63][j] + in[(i - 1) & 63][(j + 63) % 64] + in[i][(j + 1) % 64];
}
KERNEL hundred(SIZES, float (*out)[100], float (*in)[100], float *f, float *more) {
    LOOP(i, 100) LOOP(j, 100) out[i][j] = in[(i + 1) % 100][j] + in[(i + 99) % 100][j] + in[i][(j + 1) % 100];
}
KERNEL cube(FLATTENED(float)) {
    LOOP(i, h) LOOP(j, u) LOOP(k, w)
    out[(i * u + j) * w + k] = in[((i + 1) % h * u + j) * w + k] + in[(i * u + (j + 1) % u) * w + k] + in[(i * u + j) * w + (k + w - 1) % w];
}
KERNEL mirror(FLATTENED(double)) {
    LOOP(j, w) {
        double s = 0;
        BY(q, 2) s += f[q + 2] * in[clamped(mirrored(j + q, w), w)];
        out[j] = s;
    }
}
KERNEL branches(FLATTENED(double)) {
    POINTS {
        double left, right;
        if (j == 0) left = in[i * w + w - 1];
        else left = in[i * w + j - 1];
        if (j == w - 1) right = in[i * w];
        else right = in[i * w + j + 1];
        out[i * w + j] = left - right;
    }
}
KERNEL circular(FLATTENED(double)) {
    LOOP(j, w) {
        double s = 0;
        LOOP(q, w) s += f[q] * in[(j - q + w) % w];
        out[j] = s;
    }
}
KERNEL scattered(FLATTENED(double)) { LOOP(j, w) LOOP(q, w) out[(j + q) % w] += in[j] * f[q]; }
KERNEL scattered_to_border(FLATTENED(float)) { POINTS BY(q, 1) out[i * w + clamped(j + q, w)] += in[i * w + j] * f[q + 1]; }
KERNEL in_place(FLATTENED(double)) { LOOP(t, 3) LOOP(j, w) out[j] = out[(j + 1) % w] * 0.5 + out[(j + w - 1) % w] * 0.25; }
KERNEL exchanged(FLATTENED(double)) {
    POINTS {
        double t = out[(i + 1) % h * w + (j + 1) % w];
        out[(i + 1) % h * w + j] = out[i * w + j];
        out[(i + 1) % h * w + (j + 1) % w] = t;
    }
}
KERNEL waves(FLATTENED(double)) {
    LOOP(t, 3) {
        LOOP(j, w) out[j] = 2 * in[j] - out[j] + 0.25 * (in[(j + 1) % w] - 2 * in[j] + in[(j + w - 1) % w]);
        LOOP(j, w) { double s = in[j]; in[j] = out[j]; out[j] = s; }
    }
}
KERNEL wavelet(FLATTENED(float)) {
    LOOP(j, w / 2) {
        float low = 0, high = 0;
        LOOP(q, 4) { low += f[q] * in[(2 * j + q) % w]; high += f[4 + q] * in[(2 * j + q) % w]; }
        out[j] = low, out[w / 2 + j] = high;
    }
}
KERNEL backwards(FLATTENED(float)) {
    for (int j = w - 1; j >= 0; j--) out[j] = in[clamped(j - u, w)] + in[clamped(j + v, w)];
}
KERNEL where_positive(FLATTENED(float)) {
    POINTS if (in[i * w + clamped(j + 1, w)] > 0) out[i * w + j] = in[clamped(i - 1, h) * w + j];
}
KERNEL greatest(FLATTENED(byte)) {
    POINTS {
        byte m = 0;
        BY(p, 1) BY(q, 1) { byte t = in[clamped(i + p, h) * w + clamped(j + q, w)]; m = t > m ? t : m; }
        out[i * w + j] = m;
    }
}

#define PICTURES(name, T) { uint64_t all = 1; OVER(pictures, name, T, FIRST, SECOND, THIRD, FOURTH) OVER(pictures, name, T, memory + 64, memory, THIRD, FOURTH) SHOW(#name); }

int main(void) {
    PICTURES(clamped_filter, float)
    PICTURES(clamped_by_three, float)
    PICTURES(clamped_by_five, double)
    PICTURES(clamped_bytes, byte)
    PICTURES(ring, double)
    PICTURES(ring_of_long, float)
    PICTURES(ring_of_short, float)
    PICTURES(ring_by_choice, double)
    PICTURES(ring_by_modulo, int)
    PICTURES(ring_by_ifs, int)
    PICTURES(clamped_line, double)
    PICTURES(clamped_shorts, short)
    PICTURES(grid, double)
    PICTURES(grid_without_sign, double)
    { uint64_t all = 1; OVER(pictures, grid_of_sizes, float, FIRST, SECOND, THIRD, FOURTH) SHOW("grid_of_sizes"); }
    PICTURES(grid_of_rows, double)
    PICTURES(masked, float)
    PICTURES(hundred, float)
    PICTURES(cube, float)
    PICTURES(mirror, double)
    PICTURES(branches, double)
    PICTURES(circular, double)
    PICTURES(scattered, double)
    PICTURES(scattered_to_border, float)
    PICTURES(in_place, double)
    PICTURES(exchanged, double)
    PICTURES(waves, double)
    PICTURES(wavelet, float)
    PICTURES(backwards, float)
    PICTURES(where_positive, float)
    PICTURES(greatest, byte)
    return 0;
}
