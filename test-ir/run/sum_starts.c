// What sums over windows start with: in memory, in a register, in a nest of its own, which may be in another order, for more cells or for fewer, or not run at all; several sums one after another; and
// what reads the cells in between.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -ffp-contract=off -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -ffp-contract=off -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -march=native -ffp-contract=fast -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=fast -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
#include "windows.h"

// What a type may do: added to, and started in memory, in a nest of its own, in a register.
#define FAMILY(name, T)                                                                                                           \
    KERNEL name##_add(ARRAYS(T)) { POINTS WINDOW out[i][j] += TERM; }                                                             \
    KERNEL name##_add_apart(APART(T)) { POINTS WINDOW out[i][j] += TERM; }                                                        \
    KERNEL name##_zero(ARRAYS(T)) {                                                                                               \
        POINTS {                                                                                                                  \
            out[i][j] = 0;                                                                                                        \
            WINDOW out[i][j] += TERM;                                                                                             \
        }                                                                                                                         \
    }                                                                                                                             \
    KERNEL name##_zero_before(APART(T)) {                                                                                         \
        POINTS out[i][j] = 0;                                                                                                     \
        POINTS WINDOW out[i][j] += TERM;                                                                                          \
    }                                                                                                                             \
    KERNEL name##_sum(APART(T)) {                                                                                                 \
        POINTS {                                                                                                                  \
            T sum = 3;                                                                                                            \
            WINDOW sum += TERM;                                                                                                   \
            out[i][j] = sum;                                                                                                      \
        }                                                                                                                         \
    }                                                                                                                             \
    KERNEL name##_flat(FLAT(T)) {                                                                                                 \
        POINTS {                                                                                                                  \
            T sum = 0;                                                                                                            \
            WINDOW sum += in[(i + p) * (w + v) + j + q] * f[p * v + q];                                                           \
            out[i * w + j] = sum;                                                                                                 \
        }                                                                                                                         \
    }
FAMILY(doubles, double)
FAMILY(floats, float)
FAMILY(ints, unsigned)
FAMILY(chars, byte)

// What sums start with.
KERNEL start_counters(APART(double)) {
    POINTS out[i][j] = i * 2 + j;
    POINTS WINDOW out[i][j] += TERM;
}
KERNEL start_parameter(SIZES, float (*restrict out)[w], float (*restrict in)[w + v], float (*restrict f)[v], float *restrict more) {
    float with = more[3];
    POINTS out[i][j] = with / (h + 1);
    POINTS WINDOW out[i][j] += TERM;
}
KERNEL start_bias(APART(double)) {
    POINTS {
        out[i][j] = more[j];
        WINDOW out[i][j] += TERM;
    }
}
KERNEL start_halved(APART(double)) {
    POINTS {
        out[i][j] *= 0.5;
        WINDOW out[i][j] += TERM;
    }
}
KERNEL start_bytes(APART(float)) {
    LOOP(i, h) if (w > 0) memset(out[i], 0, w * sizeof(float));
    POINTS WINDOW out[i][j] += TERM;
}
KERNEL start_all_bytes(APART(double)) {
    if (h > 0 && w > 0) memset(out, 0, h * w * sizeof(double));
    POINTS WINDOW out[i][j] += TERM;
}
KERNEL start_other_type(APART(float)) {
    POINTS ((unsigned char *)&out[i][j])[0] = 0, ((unsigned char *)&out[i][j])[1] = 64;
    POINTS WINDOW out[i][j] += TERM;
}
KERNEL start_whole(FLAT(double)) {
    LOOP(k, h * w) out[k] = 0;
    POINTS WINDOW out[i * w + j] += in[(i + p) * (w + v) + j + q] * f[p * v + q];
}
KERNEL start_by_columns(APART(double)) {
    LOOP(j, w) LOOP(i, h) out[i][j] = 2;
    POINTS WINDOW out[i][j] += TERM;
}
KERNEL start_down(APART(float)) {
    for (int i = h - 1; i >= 0; i--)
        for (int j = w - 1; j >= 0; j--) out[i][j] = 2;
    POINTS WINDOW out[i][j] += TERM;
}
KERNEL start_fewer(APART(double)) {
    LOOP(i, h - 1) LOOP(j, w) out[i][j] = 0;
    POINTS WINDOW out[i][j] += TERM;
}
KERNEL start_more(APART(double)) {
    POINTS out[i][j] = 0;
    LOOP(i, h) LOOP(j, w - 1) WINDOW out[i][j] += TERM;
}
KERNEL start_beside(SIZES, double (*restrict out)[w + 1], double (*restrict in)[w + v], double (*restrict f)[v]) {
    POINTS {
        out[i][j + 1] = 0;
        WINDOW out[i][j] += TERM;
    }
}
KERNEL start_below(APART(double)) {
    POINTS {
        out[i + 1][j] = 0;
        WINDOW out[i][j] += TERM;
    }
}
KERNEL start_twice(APART(double)) {
    POINTS out[i][j] = 1;
    POINTS out[i][j] = 2;
    POINTS WINDOW out[i][j] += TERM;
}
KERNEL start_some(APART(double)) {
    if (u > 2) POINTS out[i][j] = 0;
    POINTS WINDOW out[i][j] += TERM;
}
KERNEL start_then_some(APART(double)) {
    POINTS out[i][j] = 0;
    if (u > 2) POINTS WINDOW out[i][j] += TERM;
}
KERNEL either_sum(APART(double)) {
    POINTS out[i][j] = 0;
    if (u > v) POINTS WINDOW out[i][j] += TERM;
    else POINTS WINDOW out[i][j] -= TERM;
}
KERNEL start_odd_cells(APART(float)) {
    for (int i = 0; i < h; i++)
        for (int j = 1; j < w; j += 2) out[i][j] = 0;
    POINTS WINDOW out[i][j] += TERM;
}
KERNEL start_unless(APART(double)) {
    POINTS if (i != 2) out[i][j] = 0;
    POINTS WINDOW out[i][j] += TERM;
}
KERNEL start_read(APART(double)) {
    POINTS {
        out[i][j] = 2;
        more[i * w + j] = out[i][j / 2];
        WINDOW out[i][j] += TERM;
    }
}
KERNEL start_read_after(APART(double)) {
    POINTS out[i][j] = 2;
    POINTS more[i * w + j] += out[i][j];
    POINTS WINDOW out[i][j] += TERM;
    POINTS more[i * w + j] -= out[i][j];
}
KERNEL start_read_by_the_sum(SIZES, double (*restrict out)[w], double (*restrict in)[w], double (*restrict f)[w]) {
    POINTS out[i][j] = 0.25;
    POINTS LOOP(p, u) LOOP(q, w) out[i][j] += out[i][q] * in[i + p][j] * 0.125;
}
KERNEL start_of_the_filter(SIZES, double (*restrict out)[w], double (*restrict in)[w + v], double (*restrict f)[v]) {
    WINDOW f[p][q] = 0.25;
    POINTS WINDOW out[i][j] += TERM;
}

// Several sums.
KERNEL two_sums(SIZES, double (*restrict out)[w], double (*restrict in)[w + v], double (*restrict f)[v]) {
    POINTS out[i][j] = 0;
    POINTS WINDOW out[i][j] += TERM;
    POINTS WINDOW out[i][j] -= in[i + p][j] * f[p][q];
}
KERNEL two_sums_of_a_point(APART(float)) {
    POINTS {
        out[i][j] = 0;
        WINDOW out[i][j] += TERM;
        LOOP(q, v) out[i][j] += in[i][j + q];
    }
}
KERNEL started_again(APART(double)) {
    POINTS out[i][j] = 0;
    POINTS WINDOW out[i][j] += TERM;
    POINTS more[i * w + j] = out[i][j];
    POINTS out[i][j] = 1;
    POINTS WINDOW out[i][j] += more[i * w + j] * f[p][q];
}
KERNEL never_mind(APART(double)) {
    POINTS out[i][j] = 0;
    POINTS WINDOW out[i][j] += TERM;
    POINTS out[i][j] = 1;
}
KERNEL both_directions(APART(float)) {
    POINTS {
        float across = 0, along = 0;
        WINDOW across += TERM;
        WINDOW along += in[i + p][j + q] * f[p][v - 1 - q];
        out[i][j] = across * across + along * along;
    }
}
KERNEL rows_then_columns(APART(double)) {
    LOOP(i, h) LOOP(j, w) {
        more[i * w + j] = 0;
        LOOP(q, v) more[i * w + j] += in[i][j + q] * f[0][q];
    }
    LOOP(i, h - u + 1) LOOP(j, w) {
        out[i][j] = 0;
        LOOP(p, u) out[i][j] += more[(i + p) * w + j] * in[0][p];
    }
}
KERNEL sum_and_finish(APART(float)) {
    POINTS {
        float sum = 0;
        WINDOW sum += TERM;
        out[i][j] = sum > 0 ? sum : 0.125f * sum;
    }
}

#define RUN_FAMILY(name, T)                                                                                                       \
    RUN(name##_add, T) RUN(name##_add_apart, T) RUN(name##_zero, T) RUN(name##_zero_before, T) RUN(name##_sum, T)                 \
    RUN(name##_flat, T) RUN_NEGATIVE(name##_flat, T) RUN_OVERLAPPING(name##_add, T, FOURTH)                                       \
    RUN_OVERLAPPING(name##_zero, T, FOURTH) RUN_OVERLAPPING(name##_flat, T, FOURTH)

__attribute__((optnone)) int main(void) {
    RUN_FAMILY(doubles, double) RUN_FAMILY(floats, float) RUN_FAMILY(ints, unsigned) RUN_FAMILY(chars, byte)
    RUN(start_counters, double) RUN(start_parameter, float) RUN(start_bias, double) RUN(start_halved, double)
    RUN(start_bytes, float) RUN(start_all_bytes, double) RUN(start_other_type, float) RUN(start_whole, double)
    RUN_NEGATIVE(start_whole, double) RUN_OVERLAPPING(start_whole, double, FOURTH) RUN(start_by_columns, double)
    RUN(start_down, float) RUN(start_fewer, double) RUN(start_more, double) RUN_THREE(start_beside, double)
    RUN(start_below, double) RUN(start_twice, double) RUN(start_some, double) RUN(start_then_some, double)
    RUN(either_sum, double) RUN(start_odd_cells, float) RUN(start_unless, double) RUN(start_read, double)
    RUN(start_read_after, double) RUN_THREE(start_read_by_the_sum, double) RUN_THREE(start_of_the_filter, double)
    RUN_THREE(two_sums, double) RUN(two_sums_of_a_point, float) RUN(started_again, double) RUN(never_mind, double)
    RUN(both_directions, float) RUN(rows_then_columns, double) RUN(sum_and_finish, float)
    return 0;
}
