// Windows whose middle lies on the point and that end where pictures do: of constant and of any size, of some channels, one after the other or side by side, of which the greatest or a sum is taken, and the sums
// over all points that belong to one place of the window. LLVM takes first and last iterations out of some of these loops.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=11 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -ffp-contract=off -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -ffp-contract=off -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -ffp-contract=off -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
#include "windows.h"

static const int pictures[][4] = {
    {0, 0, 3, 3}, {0, 5, 3, 3}, {5, 0, 3, 3}, {1, 1, 3, 3}, {1, 2, 1, 1}, {2, 1, 2, 3}, {2, 2, 0, 3}, {3, 2, 3, 5}, {7, 9, 3, 3}, {12, 12, 5, 5},
    {14, 14, 3, 3}, {16, 17, 3, 5}, {20, 20, 7, 7}, {24, 13, 3, 2}, {33, 35, 3, 3}, {36, 40, 3, 4}, {40, 36, 5, 4}, {5, 6, 9, 9}, {6, 48, 4, 31},
};

enum { IN = 3, OUT = 5 };
#define FLATTENED(T) SIZES, T *out, T *in, T *f, T *more
#define INSIDE if (y >= 0 && y < h && x >= 0 && x < w)
#define AT(a, b) int y = i + p - (a), x = j + q - (b);

#define CONSTANT(name, T, U, V)                                                                                                   \
    KERNEL name(FLATTENED(T)) {                                                                                                   \
        POINTS {                                                                                                                  \
            T s = 0;                                                                                                              \
            LOOP(p, U) LOOP(q, V) { AT(U / 2, V / 2) INSIDE s += in[y * w + x] * f[p * V + q]; }                                  \
            out[i * w + j] = s;                                                                                                   \
        }                                                                                                                         \
    }
CONSTANT(three_by_three, float, 3, 3)
CONSTANT(five_by_five, float, 5, 5)
CONSTANT(two_by_four, double, 2, 4)
CONSTANT(any_by_five, double, u, 5)
CONSTANT(any_by_any, float, u, v)

KERNEL skipped(FLATTENED(double)) {
    POINTS {
        double s = more[0];
        LOOP(p, u) LOOP(q, v) {
            AT(u / 2, v / 2)
            if (y < 0 || y >= h || x < 0 || x >= w) continue;
            s += in[y * w + x] * f[p * v + q];
        }
        out[i * w + j] = s;
    }
}
KERNEL from_the_middle(FLATTENED(float)) {
    POINTS {
        float s = 0;
        for (int p = -1; p <= 1; p++)
            for (int q = -1; q <= 1; q++)
                if (i + p >= 0 && i + p < h && j + q >= 0 && j + q < w) s += in[(i + p) * w + j + q] * f[(p + 1) * 3 + q + 1];
        out[i * w + j] = s;
    }
}
KERNEL channels(FLATTENED(float)) {
    LOOP(o, OUT) POINTS {
        float s = more[o];
        LOOP(c, IN) LOOP(p, 3) LOOP(q, 3) { AT(1, 1) INSIDE s += in[(c * h + y) * w + x] * f[((o * IN + c) * 3 + p) * 3 + q]; }
        out[(o * h + i) * w + j] = s;
    }
}
KERNEL any_channels(FLATTENED(float)) {
    LOOP(o, OUT) POINTS {
        float s = more[o];
        LOOP(c, IN) LOOP(p, u) LOOP(q, v) { AT(u / 2, v / 2) INSIDE s += in[(c * h + y) * w + x] * f[((o * IN + c) * u + p) * v + q]; }
        out[(o * h + i) * w + j] = s;
    }
}
KERNEL channels_inside(FLATTENED(float)) {
    POINTS LOOP(o, v) {
        float s = more[o];
        LOOP(p, 3) LOOP(q, 3) { AT(1, 1) INSIDE LOOP(c, u) s += in[(y * w + x) * u + c] * f[((p * 3 + q) * u + c) * v + o]; }
        out[(i * w + j) * v + o] = s;
    }
}
KERNEL each_channel(FLATTENED(float)) {
    LOOP(c, IN) POINTS {
        float s = more[c];
        LOOP(p, 3) LOOP(q, 3) { AT(1, 1) INSIDE s += in[(c * h + y) * w + x] * f[(c * 3 + p) * 3 + q]; }
        out[(c * h + i) * w + j] = s;
    }
}
KERNEL gradient(FLATTENED(double)) {
    LOOP(o, OUT) LOOP(c, IN) LOOP(p, 3) LOOP(q, 3) {
        double s = 0;
        POINTS { AT(1, 1) INSIDE s += in[(c * h + y) * w + x] * f[(o * h + i) * w + j]; }
        out[((o * IN + c) * 3 + p) * 3 + q] = s;
    }
}
KERNEL back(FLATTENED(float)) {
    LOOP(c, IN) POINTS {
        float s = 0;
        LOOP(o, OUT) LOOP(p, 3) LOOP(q, 3) {
            int y = i - p + 1, x = j - q + 1;
            INSIDE s += in[(o * h + y) * w + x] * f[((o * IN + c) * 3 + p) * 3 + q];
        }
        out[(c * h + i) * w + j] = s;
    }
}
KERNEL every_second(FLATTENED(float)) {
    LOOP(o, OUT) LOOP(i, h / 2) LOOP(j, w / 2) {
        float s = 0;
        LOOP(c, IN) LOOP(p, 3) LOOP(q, 3) {
            int y = 2 * i + p - 1, x = 2 * j + q - 1;
            INSIDE s += in[(c * h + y) * w + x] * f[((o * IN + c) * 3 + p) * 3 + q];
        }
        out[(o * (h / 2) + i) * (w / 2) + j] = s;
    }
}
KERNEL greatest(FLATTENED(float)) {
    LOOP(c, IN) POINTS {
        float m = -1e30f;
        LOOP(p, 3) LOOP(q, 3) { AT(1, 1) INSIDE { float t = in[(c * h + y) * w + x]; m = t > m ? t : m; } }
        out[(c * h + i) * w + j] = m;
    }
}
KERNEL line(FLATTENED(double)) {
    LOOP(j, w) {
        double s = 0;
        LOOP(q, v) { int x = j + q - v / 2; if (x >= 0 && x < w) s += in[x] * f[q]; }
        out[j] = s;
    }
}
KERNEL whole(FLATTENED(double)) {
    LOOP(i, h + u - 1) LOOP(j, w + v - 1) {
        double s = 0;
        LOOP(p, u) LOOP(q, v) { int y = i - p, x = j - q; INSIDE s += in[y * w + x] * f[p * v + q]; }
        out[i * (w + v - 1) + j] = s;
    }
}

#define PICTURES(name, T) { uint64_t all = 1; OVER(pictures, name, T, FIRST, SECOND, THIRD, FOURTH) SHOW(#name); }

int main(void) {
    PICTURES(three_by_three, float)
    PICTURES(five_by_five, float)
    PICTURES(two_by_four, double)
    PICTURES(any_by_five, double)
    PICTURES(any_by_any, float)
    PICTURES(skipped, double)
    PICTURES(from_the_middle, float)
    PICTURES(channels, float)
    PICTURES(any_channels, float)
    PICTURES(channels_inside, float)
    PICTURES(each_channel, float)
    PICTURES(gradient, double)
    PICTURES(back, float)
    PICTURES(every_second, float)
    PICTURES(greatest, float)
    PICTURES(line, double)
    PICTURES(whole, double)
    return 0;
}
