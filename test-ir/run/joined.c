// Means and variances over several loops, of which LLVM joins the ends: where one of the loops is empty another block runs, to which several tests lead, and phis bring the same address from both. Sums that are
// left, kept and started in such places; rotations, whose factors are computed outside of the loops that use them. For all small sizes, empty ones with them.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto -lm && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels -lm && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=5 %s -o %t.random -lm && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force -lm && %t.force > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -I%S/Inputs -ffp-contract=off %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -I%S/Inputs -ffp-contract=off %s -o %t.auto -lm && %t.auto > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <math.h>
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static void
#define LOOP(i, n) for (int i = 0; i < n; i++)

enum { CELLS = 1 << 15 };
static _Alignas(64) float in[CELLS], out[CELLS], mean[64], variance[64];
static _Alignas(64) double wide[CELLS], sums[CELLS], ends[64];
static int counts[64];

KERNEL plane_norms(int b, int c, int n, float *out, float *in, float *mean, float *variance) {
    LOOP(k, c) {
        mean[k] = 0;
        LOOP(i, b) LOOP(y, n) LOOP(x, n) mean[k] += in[((i * c + k) * n + y) * n + x];
        mean[k] /= (float)b * n * n;
        variance[k] = 0;
        LOOP(i, b) LOOP(y, n) LOOP(x, n) {
            float d = in[((i * c + k) * n + y) * n + x] - mean[k];
            variance[k] += d * d;
        }
        variance[k] /= (float)b * n * n;
    }
    LOOP(i, b) LOOP(k, c) LOOP(x, n * n) {
        int at = (i * c + k) * n * n + x;
        out[at] = (in[at] - mean[k]) / sqrtf(variance[k] + 1e-5f);
    }
}

KERNEL apart_norms(int b, int c, int n, const float *restrict in, float *restrict mean, float *restrict variance) {
    LOOP(k, c) {
        mean[k] = 0;
        LOOP(i, b) LOOP(x, n) mean[k] += in[(i * c + k) * n + x];
        mean[k] /= (float)b * n;
        variance[k] = 0;
        LOOP(i, b) LOOP(x, n) variance[k] += (in[(i * c + k) * n + x] - mean[k]) * (in[(i * c + k) * n + x] - mean[k]);
        variance[k] /= (float)b * n;
    }
}

// What runs where one of three loops is empty stores something else.
KERNEL else_stored(int b, int c, int n, double *wide, double *sums, double *ends) {
    LOOP(k, c) {
        double s = -1;
        if (b > 1 && n > 2 && b != n) {
            s = 0;
            LOOP(i, b) LOOP(x, n) s += wide[(i * c + k) * n + x];
            ends[k] = s;
        } else {
            ends[k] = 7;
            sums[k] = -s;
        }
        sums[k + 32] = ends[k] + s;
    }
}

KERNEL either_stored(int b, int c, int n, double *wide, double *sums, double *ends) {
    LOOP(k, c) {
        if (b == 1 || n == 3 || c > 4) {
            ends[k] = k;
            LOOP(x, n) sums[k * n + x] = wide[x];
        } else
            LOOP(x, n) sums[k * n + x] += wide[k * n + x] * ends[k];
    }
}

KERNEL unsigned_tests(unsigned b, int c, unsigned n, double *wide, double *sums, int *counts) {
    LOOP(k, c) {
        counts[k] = 0;
        if (b - 1 < 3 && n >= 2)
            for (unsigned i = 0; i < b; i++)
                for (unsigned x = 0; x < n; x++) counts[k] += wide[(i * c + k) * n + x] > sums[k];
        else
            counts[k] = -1;
        sums[k] += counts[k];
    }
}

// Factors that are computed once for a row, under a condition, from cells that the row overwrites.
KERNEL rotated(int b, int c, int n, double *r, double *q) {
    LOOP(j, n) for (int i = c - 1; i > j; i--) {
        double x = r[(i - 1) * n + j], y = r[i * n + j];
        if (y == 0.0) continue;
        double d = sqrt(x * x + y * y), co = x / d, si = y / d;
        for (int k = j; k < n; k++) {
            double s = r[(i - 1) * n + k], t = r[i * n + k];
            r[(i - 1) * n + k] = co * s + si * t;
            r[i * n + k] = -si * s + co * t;
        }
        LOOP(k, c) {
            double s = q[k * 16 + i - 1], t = q[k * 16 + i];
            q[k * 16 + i - 1] = co * s + si * t;
            q[k * 16 + i] = -si * s + co * t;
        }
    }
}

// Two statements with a root and quotients in common.
KERNEL shared_roots(int b, int c, int n, double *wide, double *px, double *py) {
    LOOP(i, c) LOOP(j, n) {
        double gx = j < n - 1 ? wide[i * n + j + 1] - wide[i * n + j] : 0, gy = i < c - 1 ? wide[(i + 1) * n + j] - wide[i * n + j] : 0;
        double norm = 1 + b * sqrt(gx * gx + gy * gy);
        px[i * n + j] = (px[i * n + j] + gx) / norm;
        py[i * n + j] = (py[i * n + j] + gy) / norm;
    }
}

static void fill(void) {
    for (int i = 0; i < CELLS; i++) {
        in[i] = ((i * 7 + 3) % 31 - 15) / 16.f;
        wide[i] = ((i * 5 + 1) % 29 - 14) / 8.;
        sums[i] = (i % 11 - 5) / 4.;
        out[i] = 0;
    }
    for (int i = 0; i < 64; i++) mean[i] = variance[i] = ends[i] = counts[i] = i + 1;
}

static uint64_t all(uint64_t h) {
    h = hash(h, in, sizeof in);
    h = hash(h, out, sizeof out);
    h = hash(h, wide, sizeof wide);
    h = hash(h, sums, sizeof sums);
    h = hash(h, mean, sizeof mean);
    h = hash(h, variance, sizeof variance);
    h = hash(h, ends, sizeof ends);
    return hash(h, counts, sizeof counts);
}

#define RUN(name, ...)                                  \
    do {                                                \
        uint64_t h = 1;                                 \
        LOOP(b, 5) LOOP(c, 19) LOOP(n, 9) {             \
            if (c % 3 == 2 && c != 17) continue;\
            fill();                                     \
            name(b, c, n, __VA_ARGS__);                 \
            h = all(h);                                 \
        }                                               \
        printf("%s %llx\n", #name, (unsigned long long)h); \
    } while (0)

int main(void) {
    RUN(plane_norms, out, in, mean, variance);
    RUN(plane_norms, in, in, mean, variance);
    RUN(plane_norms, out, in, mean, mean);
    RUN(plane_norms, out, in, in + 100, in + 2000);
    RUN(apart_norms, in, mean, variance);
    RUN(else_stored, wide, sums, ends);
    RUN(else_stored, wide, wide, ends);
    RUN(either_stored, wide, sums, ends);
    RUN(unsigned_tests, wide, sums, counts);
    RUN(rotated, wide, sums);
    RUN(shared_roots, wide, sums, sums + 4096);
    RUN(shared_roots, wide, wide, sums);
}
