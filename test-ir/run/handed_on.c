// Cells that an iteration reads and the one before has stored or read: of steps of one and more cells, forwards and backwards, of several rows and arrays, with stores between that touch them or may, under conditions, in structures,
// and loops of no and of one iteration.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -ffp-contract=off -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -ffp-contract=off -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
#include "windows.h"
#include <stddef.h>

#define FLATTENED(T) SIZES, T *out, T *in, T *f, T *more

#define SCATTER(name, T, STEP, TAPS)                                                                                              \
    KERNEL name(FLATTENED(T)) {                                                                                                   \
        POINTS LOOP(q, TAPS) out[STEP * (i * w + j) + q] += in[i * w + j] * f[q];                                                 \
    }
SCATTER(by_one, float, 1, 3)
SCATTER(by_two, double, 2, 3)
SCATTER(by_two_far, float, 2, 5)
SCATTER(by_three, int, 3, 4)
SCATTER(by_three_far, double, 3, 8)

KERNEL backwards(FLATTENED(double)) {
    LOOP(i, h) for (int j = w - 1; j >= 0; j--) {
        out[2 * (i * w + j)] -= in[i * w + j];
        out[2 * (i * w + j) + 1] += in[i * w + j] * f[1];
        out[2 * (i * w + j) + 2] += in[i * w + j] * f[2];
    }
}

// Two rows of an array, one of which is the other for some sizes.
KERNEL rows(FLATTENED(float)) {
    LOOP(i, h) LOOP(j, w) {
        out[i * w + 2 * j] += in[j];
        out[(i + u) * w + 2 * j + 1] += in[j] * f[1];
        out[i * w + 2 * j + 2] += in[j] * f[2];
    }
}

// What lies `v` further on may be what stays, or the cell after it.
KERNEL may_be_touched(FLATTENED(double)) {
    LOOP(j, w) {
        out[2 * j] = out[2 * j] * f[0] + in[j];
        out[j + v] = in[j] + 1;
        out[2 * j + 2] = out[2 * j + 2] - in[j] * f[1];
    }
}

KERNEL touched_in_front(FLATTENED(float)) {
    LOOP(j, w) {
        out[j + u] = in[j];
        more[j] = out[2 * j] + f[j];
        out[2 * j + 2] = in[j] * f[1];
    }
}

KERNEL filter(FLATTENED(double)) {
    LOOP(i, h) {
        double *y = out + i * (w + 2), *x = in + i * w;
        LOOP(j, w) y[j + 2] = x[j] * f[0] - y[j + 1] * f[1] - y[j] * f[2];
    }
}

KERNEL columns(FLATTENED(float)) {
    LOOP(j, w) LOOP(i, h) out[(i + 1) * w + j] = out[i * w + j] * f[j] + in[i * w + j];
}

// Both ways round: the one is handed on, the other stored behind it.
KERNEL edges(FLATTENED(double)) {
    LOOP(j, w) {
        double flow = (in[j + 1] - in[j]) * f[j];
        out[j] += flow;
        out[j + 1] -= flow;
    }
}

struct point { float x, y, z; };
KERNEL points(SIZES, struct point *out, float *in, float *f, float *more) {
    LOOP(j, w) {
        out[j].x += in[j];
        out[j].z -= in[j] * f[0];
        out[j + 1].x = out[j].y * f[1];
        out[j + 1].y += out[j].x;
    }
}

KERNEL sometimes(FLATTENED(int)) {
    LOOP(j, w) {
        out[2 * j] += in[j];
        if (in[j] > 3) out[2 * j + 2] = f[j];
        out[2 * j + 1] += out[2 * j + 2];
    }
}

KERNEL shorts(FLATTENED(short)) {
    LOOP(i, h) LOOP(j, w) {
        out[i * w + 2 * j] += in[j];
        out[i * w + 2 * j + 1] ^= in[j] * 3;
        out[i * w + 2 * j + 2] -= out[i * w + 2 * j + 1] >> 2;
    }
}

KERNEL many(FLATTENED(double)) {
    LOOP(j, w) {
        double s = 0;
        LOOP(q, 20) s += in[j + q] * f[q];
        out[j + 1] = s - out[j];
    }
}

// Errors are diffused to the next cell of the row, and to three of the next one, which may be the same.
KERNEL diffused(FLATTENED(int)) {
    LOOP(i, h) for (int j = 1; j < w; j++) {
        int value = out[i * w + j], shown = value > 3 ? 7 : 0, error = value - shown;
        in[i * w + j] = shown;
        out[i * w + j + 1] += error * 7 / 16;
        out[(i + u) * w + j - 1] += error * 3 / 16;
        out[(i + u) * w + j] += error * 5 / 16;
        out[(i + u) * w + j + 1] += error / 16;
    }
}

// By rows of errors.
KERNEL diffused_by_rows(FLATTENED(float)) {
    LOOP(i, h) {
        LOOP(j, w) {
            float value = in[i * w + j] + f[j + 1], shown = value > 0.1f ? 0.25f : 0, error = value - shown;
            out[i * w + j] = shown;
            f[j + 2] += error * 0.4375f;
            more[j] += error * 0.1875f;
            more[j + 1] += error * 0.3125f;
            more[j + 2] += error * 0.0625f;
        }
        LOOP(j, w + 2) {
            f[j] = more[j];
            more[j] = 0;
        }
    }
}

#define CASES(name, T)                                                                                                            \
    { uint64_t all = 1; OVER(sizes, name, T, FIRST, SECOND, THIRD, FOURTH) SHOW(#name); }                                         \
    { uint64_t all = 1; OVER(sizes, name, T, memory + 64, memory, THIRD, FOURTH) OVER(sizes, name, T, memory, memory + sizeof(T), THIRD, FOURTH) SHOW(#name " overlapping"); }

int main(void) {
    CASES(by_one, float)
    CASES(by_two, double)
    CASES(by_two_far, float)
    CASES(by_three, int)
    CASES(by_three_far, double)
    CASES(backwards, double)
    CASES(rows, float)
    CASES(may_be_touched, double)
    CASES(touched_in_front, float)
    CASES(filter, double)
    CASES(columns, float)
    CASES(edges, double)
    CASES(points, float)
    CASES(sometimes, int)
    CASES(shorts, short)
    CASES(many, double)
    CASES(diffused, int)
    CASES(diffused_by_rows, float)
    return 0;
}
