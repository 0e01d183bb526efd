// Sums over windows of what is around a point: filters of unknown, constant and no size, in one to three dimensions, with channels, strides, dilations and borders, by all kinds of counters and
// subscripts; triangular ones, cells without terms, in place, and of arrays that overlap.
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

// Loops in other orders, sums around and between.
KERNEL window_outside(APART(double)) { WINDOW POINTS out[i][j] += TERM; }
KERNEL window_between(APART(double)) { LOOP(i, h) WINDOW LOOP(j, w) out[i][j] += TERM; }
KERNEL window_around(APART(float)) { LOOP(p, u) LOOP(i, h) LOOP(q, v) LOOP(j, w) out[i][j] += TERM; }
KERNEL window_by_columns(APART(float)) { LOOP(j, w) LOOP(q, v) LOOP(i, h) LOOP(p, u) out[i][j] += TERM; }
KERNEL window_transposed(APART(double)) { POINTS LOOP(q, v) LOOP(p, u) out[i][j] += TERM; }

// Strides, dilations, filters from the end.
#define WIDE(T) SIZES, T (*restrict out)[w], T (*restrict in)[144], T (*restrict f)[v], T *restrict more
KERNEL strided(WIDE(double)) { POINTS WINDOW out[i][j] += in[2 * i + p][2 * j + q] * f[p][q]; }
KERNEL dilated(WIDE(double)) { POINTS WINDOW out[i][j] += in[i + 2 * p][j + 3 * q] * f[p][q]; }
KERNEL strided_rows(WIDE(float)) { POINTS WINDOW out[i][j] += in[2 * i + p][j + 2 * q] * f[p][q]; }
KERNEL any_stride(FLAT(float)) {
    int s = 1 + (h & 1), d = 1 + (w & 1);
    POINTS {
        float sum = 0;
        WINDOW sum += in[(i * s + p * d) * 2 * wide + j * s + q * d] * f[p * v + q];
        out[i * w + j] = sum;
    }
}
KERNEL correlation(APART(double)) { POINTS WINDOW out[i][j] += in[i + p][j + q] * f[u - 1 - p][v - 1 - q]; }
KERNEL convolution(APART(double)) {
    POINTS {
        out[i][j] = 0;
        WINDOW out[i][j] += in[i + u - 1 - p][j + v - 1 - q] * f[p][q];
    }
}
KERNEL half_reversed(APART(float)) { POINTS WINDOW out[i][j] += in[i + u - 1 - p][j + q] * f[p][q]; }
KERNEL from_the_end(APART(float)) { POINTS WINDOW out[h - 1 - i][w - 1 - j] += in[h - i + p][w - 1 - j + q] * f[p][q]; }

// Counters that go down, have no sign, or other sizes.
KERNEL down(APART(double)) {
    for (int i = h - 1; i >= 0; i--)
        for (int j = w - 1; j >= 0; j--) {
            out[i][j] = 0;
            for (int p = u - 1; p >= 0; p--)
                for (int q = v - 1; q >= 0; q--) out[i][j] += TERM;
        }
}
KERNEL window_down(APART(float)) {
    POINTS {
        float sum = 0;
        for (int p = u; p-- > 0;)
            for (int q = v; q-- > 0;) sum += TERM;
        out[i][j] = sum;
    }
}
KERNEL from_one(APART(double)) {
    for (int i = 1; i <= h; i++)
        for (int j = 1; j <= w; j++) {
            out[i - 1][j - 1] = 0;
            for (int p = 1; p <= u; p++)
                for (int q = 1; q <= v; q++) out[i - 1][j - 1] += in[i + p - 2][j + q - 2] * f[p - 1][q - 1];
        }
}
KERNEL wide_counters(size_t h, size_t w, size_t u, size_t v, size_t tall, size_t wide, double *restrict out, double *restrict in, double *restrict f) {
    for (size_t i = 0; i < h; i++)
        for (size_t j = 0; j < w; j++) {
            double sum = 0;
            for (size_t p = 0; p < u; p++)
                for (size_t q = 0; q < v; q++) sum += in[(i + p) * (w + v) + j + q] * f[p * v + q];
            out[i * w + j] = sum;
        }
}
KERNEL unsigned_counters(unsigned h, unsigned w, unsigned u, unsigned v, unsigned tall, unsigned wide, float *out, float *in, float *f) {
    for (unsigned i = 0; i < h; i++)
        for (unsigned j = 0; j < w; j++) {
            out[i * w + j] = 1;
            for (unsigned p = 0; p < u; p++)
                for (unsigned q = 0; q < v; q++) out[i * w + j] += in[(i + p) * (w + v) + j + q] * f[p * v + q];
        }
}
KERNEL short_counters(short h, short w, signed char u, signed char v, short tall, short wide, double *restrict out, double *restrict in, double *restrict f) {
    for (short i = 0; i < h; i++)
        for (short j = 0; j < w; j++)
            for (signed char p = 0; p < u; p++)
                for (signed char q = 0; q < v; q++) out[i * w + j] += in[(i + p) * (w + v) + j + q] * f[p * v + q];
}
KERNEL by_two(APART(double)) {
    for (int i = 0; i < h; i += 2)
        for (int j = 0; j < w; j++) {
            out[i][j] = 0;
            for (int p = 0; p < u; p += 2) LOOP(q, v) out[i][j] += TERM;
        }
}
KERNEL between(APART(double)) {
    for (int i = u; i < h - u; i++)
        for (int j = v; j < w - v; j++) {
            double sum = 0;
            for (int p = -u / 2; p <= u / 2; p++)
                for (int q = 0; q < v; q++) sum += in[i + p][j + q] * f[p + u / 2][q];
            out[i][j] = sum;
        }
}

// Constant sizes, some of them none.
#define CONSTANT(name, T, U, V)                                                                                                   \
    KERNEL name(SIZES, T (*restrict out)[w], T (*restrict in)[80], T (*restrict f)[9], T *restrict more) {                        \
        POINTS {                                                                                                                  \
            out[i][j] = 0;                                                                                                        \
            LOOP(p, U) LOOP(q, V) out[i][j] += TERM;                                                                              \
        }                                                                                                                         \
    }
CONSTANT(three_by_three, float, 3, 3)
CONSTANT(one_by_one, double, 1, 1)
CONSTANT(five_by_two, double, 5, 2)
CONSTANT(nine_by_nine, float, 9, 9)
CONSTANT(seven_by_any, double, 7, v)
CONSTANT(any_by_four, float, u, 4)
CONSTANT(none_by_any, double, 0, v)
CONSTANT(any_by_none, double, u, 0)
CONSTANT(constant_shorts, short, 3, 5)
CONSTANT(constant_longs, long, 2, v)

// One and three dimensions.
KERNEL line(SIZES, double *out, double *in, double *f) {
    int n = h * w, m = u * v;
    LOOP(i, n) {
        out[i] = 0;
        LOOP(p, m) out[i] += in[i + p] * f[p];
    }
}
KERNEL lines(APART(float)) {
    POINTS {
        float sum = 0;
        LOOP(q, v) sum += in[i][j + q] * f[0][q];
        out[i][j] = sum;
    }
}
KERNEL columns(APART(double)) { POINTS LOOP(p, u) out[i][j] += in[i + p][j] * more[p]; }
KERNEL cubes(SIZES, double (*restrict out)[w][4], double (*restrict in)[w + v][6], double (*restrict f)[v][2]) {
    POINTS LOOP(k, 4) {
        out[i][j][k] = 0;
        WINDOW LOOP(r, 2) out[i][j][k] += in[i + p][j + q][k + r] * f[p][q][r];
    }
}
KERNEL cubes_last(SIZES, float (*restrict out)[h][w], float (*restrict in)[tall][wide], float (*restrict f)[u][v]) {
    LOOP(k, 4) POINTS LOOP(r, 2) WINDOW out[k][i][j] += in[k + r][i + p][j + q] * f[r][p][q];
}

// Channels: first, last, each for itself, in groups; images one after another.
KERNEL channels_first(SIZES, float (*restrict out)[h][w], float (*restrict in)[tall][wide], float (*restrict f)[3][u][v]) {
    LOOP(o, 5) POINTS {
        out[o][i][j] = 0;
        LOOP(c, 3) WINDOW out[o][i][j] += in[c][i + p][j + q] * f[o][c][p][q];
    }
}
KERNEL channels_first_added(SIZES, double (*out)[h][w], double (*in)[tall][wide], double (*f)[3][u][v]) {
    LOOP(o, 5) LOOP(c, 3) POINTS WINDOW out[o][i][j] += in[c][i + p][j + q] * f[o][c][p][q];
}
KERNEL channels_last(SIZES, float (*restrict out)[w][5], float (*restrict in)[w + v][3], float (*restrict f)[v][3][5]) {
    POINTS LOOP(o, 5) {
        float sum = 0;
        WINDOW LOOP(c, 3) sum += in[i + p][j + q][c] * f[p][q][c][o];
        out[i][j][o] = sum;
    }
}
KERNEL any_channels(SIZES, double (*restrict out)[w][u], double (*restrict in)[w + 2][v], double (*restrict f)[2][v][u]) {
    LOOP(i, h & 7) LOOP(j, w) LOOP(o, u) {
        out[i][j][o] = 0;
        LOOP(p, 3) LOOP(q, 2) LOOP(c, v) out[i][j][o] += in[i + p][j + q][c] * f[p][q][c][o];
    }
}
KERNEL each_channel(SIZES, double (*restrict out)[w][3], double (*restrict in)[w + v][3], double (*restrict f)[v][3]) {
    POINTS LOOP(c, 3) WINDOW out[i][j][c] += in[i + p][j + q][c] * f[p][q][c];
}
KERNEL images(SIZES, double (*restrict out)[h][w], double (*restrict in)[tall][wide], double (*restrict f)[v]) {
    LOOP(b, 4) POINTS {
        double sum = 0;
        WINDOW sum += in[b][i + p][j + q] * f[p][q];
        out[b][i][j] = sum;
    }
}

// Triangular windows, and such that depend on the point: cells at the border have no terms.
KERNEL lower_window(APART(double)) {
    POINTS {
        out[i][j] = 0;
        LOOP(p, u) for (int q = 0; q <= p && q < v; q++) out[i][j] += TERM;
    }
}
KERNEL triangle_window(SIZES, double (*restrict out)[w], double (*restrict in)[w + u], double (*restrict f)[u]) {
    POINTS {
        out[i][j] = 0;
        LOOP(p, u) LOOP(q, p + 1) out[i][j] += TERM;
    }
}
KERNEL below_triangle_window(SIZES, float (*restrict out)[w], float (*restrict in)[w + u], float (*restrict f)[u]) {
    POINTS LOOP(p, u) LOOP(q, p) out[i][j] += TERM;
}
KERNEL rows_before(SIZES, double (*restrict out)[w], double (*restrict in)[w + v], double (*restrict f)[v]) {
    POINTS {
        out[i][j] = 0;
        LOOP(p, i) LOOP(q, v) out[i][j] += in[p][j + q] * f[p][q];
    }
}
KERNEL columns_before(SIZES, double (*restrict out)[w], double (*restrict in)[w], double (*restrict f)[w]) {
    POINTS {
        out[i][j] = 1.5;
        LOOP(p, u) LOOP(q, j) out[i][j] += in[i + p][j - q] * f[p][q];
    }
}
KERNEL all_before(SIZES, float (*restrict out)[w], float (*restrict in)[w], float (*restrict f)[w]) {
    POINTS LOOP(p, i + 1) LOOP(q, j + 1) out[i][j] += in[i - p][j - q] * f[p][q];
}
KERNEL as_wide_as_the_row(SIZES, double (*restrict out)[w], double (*restrict in)[w + h], double (*restrict f)[h]) {
    LOOP(i, h) LOOP(j, w) {
        out[i][j] = 0;
        LOOP(p, u) LOOP(q, i) out[i][j] += in[i + p][j + q] * f[p][q];
    }
}
KERNEL below_the_diagonal(APART(double)) { LOOP(i, h) LOOP(j, (i < w ? i : w)) WINDOW out[i][j] += TERM; }
KERNEL triangle_started(SIZES, double (*restrict out)[h], double (*restrict in)[h + v], double (*restrict f)[v]) {
    LOOP(i, h) LOOP(j, i) out[i][j] = 0;
    LOOP(i, h) LOOP(j, i) WINDOW out[i][j] += TERM;
}
KERNEL borders(SIZES, double (*restrict out)[w], double (*restrict in)[w], double (*restrict f)[v]) {
    POINTS {
        double sum = 0;
        WINDOW if (i + p - u / 2 >= 0 && i + p - u / 2 < h && j + q - v / 2 >= 0 && j + q - v / 2 < w)
            sum += in[i + p - u / 2][j + q - v / 2] * f[p][q];
        out[i][j] = sum;
    }
}
KERNEL one_border(SIZES, float (*restrict out)[w], float (*restrict in)[w + v], float (*restrict f)[v]) {
    POINTS {
        out[i][j] = 0;
        WINDOW if (i - p >= 0) out[i][j] += in[i - p][j + q] * f[p][q];
    }
}
KERNEL without_the_middle(APART(double)) { POINTS WINDOW if (p != q) out[i][j] += TERM; }

// What is no filter: sums, greatest and least, products, bits, distances.
KERNEL box_sum(APART(double)) {
    POINTS {
        double sum = 0;
        WINDOW sum += in[i + p][j + q];
        out[i][j] = sum;
    }
}
KERNEL mean(APART(float)) {
    POINTS {
        float sum = 0;
        WINDOW sum += in[i + p][j + q];
        out[i][j] = sum / (u * v + 1);
    }
}
KERNEL greatest(APART(float)) {
    POINTS {
        out[i][j] = -1e30f;
        WINDOW out[i][j] = out[i][j] > in[i + p][j + q] ? out[i][j] : in[i + p][j + q];
    }
}
KERNEL least_int(APART(int)) {
    POINTS {
        int least = 1 << 20;
        WINDOW least = in[i + p][j + q] + f[p][q] < least ? in[i + p][j + q] + f[p][q] : least;
        out[i][j] = least;
    }
}
KERNEL factors(APART(double)) {
    POINTS {
        out[i][j] = 1;
        WINDOW out[i][j] *= in[i + p][j + q] + f[p][q];
    }
}
KERNEL bits(APART(uint64_t)) {
    POINTS {
        out[i][j] = 0;
        WINDOW out[i][j] ^= in[i + p][j + q] & ~f[p][q];
    }
}
KERNEL distances(APART(float)) {
    POINTS {
        float sum = 0;
        WINDOW sum += (in[i + p][j + q] - f[p][q]) * (in[i + p][j + q] - f[p][q]);
        out[i][j] = sum;
    }
}
KERNEL subtracted(APART(double)) {
    POINTS {
        double sum = -0.0;
        WINDOW sum -= TERM;
        out[i][j] = sum;
    }
}
KERNEL weighted(APART(double)) { POINTS WINDOW out[i][j] += more[0] * in[i + p][j + q] * f[p][q] * more[p]; }
KERNEL narrow_sums(SIZES, unsigned char *restrict out, unsigned char *restrict in, signed char *restrict f) {
    POINTS {
        int sum = 0;
        WINDOW sum += in[(i + p) * (w + v) + j + q] * f[p * v + q];
        out[i * w + j] = sum >> 3;
    }
}
KERNEL wide_sums(SIZES, float *restrict out, float *restrict in, float *restrict f) {
    POINTS {
        double sum = 0;
        WINDOW sum += in[(i + p) * (w + v) + j + q] * f[p * v + q];
        out[i * w + j] = sum;
    }
}

// Cells that are stored along the window, gradients of filters, contractions.
KERNEL scattered(SIZES, double (*restrict out)[w + v], double (*restrict in)[w], double (*restrict f)[v]) {
    POINTS WINDOW out[i + p][j + q] += in[i][j] * f[p][q];
}
KERNEL polynomials(SIZES, double *restrict out, double *restrict in, double *restrict f) {
    int n = h * w, m = u * v;
    LOOP(i, n) LOOP(p, m) out[i + p] += in[i] * f[p];
}
KERNEL gradients(SIZES, double (*restrict out)[w], double (*restrict in)[w + v], double (*restrict f)[v]) {
    WINDOW f[p][q] = 0;
    WINDOW POINTS f[p][q] += in[i + p][j + q] * out[i][j];
}
KERNEL contraction(SIZES, double (*restrict out)[w], double (*restrict in)[u][v], double (*restrict f)[u][v]) {
    POINTS {
        out[i][j] = 0;
        WINDOW out[i][j] += in[i][p][q] * f[j][p][q];
    }
}
KERNEL contraction_across(SIZES, float (*restrict out)[w], float (*restrict in)[h][v], float (*restrict f)[v][w]) {
    POINTS {
        float sum = 0;
        WINDOW sum += in[p][i][q] * f[p][q][j];
        out[i][j] = sum;
    }
}
KERNEL contraction_added(SIZES, double (*out)[w], double (*in)[h][v], double (*f)[v][w]) {
    POINTS WINDOW out[i][j] += in[p][i][q] * f[p][q][j];
}
KERNEL products_added(SIZES, double (*restrict out)[w], double (*restrict in)[h][9], double (*restrict f)[9][w]) {
    POINTS out[i][j] = 0;
    LOOP(p, u) POINTS LOOP(q, 9) out[i][j] += in[p][i][q] * f[p][q][j];
}

// In place: cells that others read before or after they are added to.
KERNEL in_place_ahead(SIZES, double (*restrict a)[w + v], double (*restrict f)[v]) {
    POINTS WINDOW a[i][j] += a[i + p + 1][j + q] * f[p][q];
}
KERNEL in_place_beside(SIZES, double (*restrict a)[w + v], double (*restrict f)[v]) {
    POINTS WINDOW a[i][j] += a[i][j + q + 1] * f[p][q];
}
KERNEL in_place_behind(SIZES, double (*restrict a)[w + v], double (*restrict f)[v]) {
    for (int i = u; i < h; i++)
        for (int j = v; j < w; j++) WINDOW a[i][j] += a[i - p - 1][j - q] * f[p][q] * 0.25;
}
KERNEL in_place_started(SIZES, double (*restrict a)[w + v], double (*restrict f)[v]) {
    POINTS {
        double sum = 0;
        WINDOW sum += a[i + p][j + q] * f[p][q];
        a[i][j] = sum;
    }
}
KERNEL in_place_itself(SIZES, float (*restrict a)[w + v], float (*restrict f)[v]) {
    POINTS WINDOW a[i][j] += a[i + p][j + q] * f[p][q];
}

__attribute__((optnone)) int main(void) {
    RUN(window_outside, double) RUN(window_between, double) RUN(window_around, float) RUN(window_by_columns, float)
    RUN(window_transposed, double)
    RUN(strided, double) RUN(dilated, double) RUN(strided_rows, float) RUN(any_stride, float) RUN_NEGATIVE(any_stride, float)
    RUN_OVERLAPPING(any_stride, float, FOURTH)
    RUN(correlation, double) RUN(convolution, double) RUN(half_reversed, float) RUN(from_the_end, float)
    RUN(down, double) RUN(window_down, float) RUN(from_one, double) RUN_THREE(wide_counters, double)
    RUN_THREE(unsigned_counters, float) RUN_OVERLAPPING(unsigned_counters, float) RUN_THREE(short_counters, double)
    RUN_NEGATIVE_THREE(short_counters, double) RUN(by_two, double) RUN(between, double)
    RUN(three_by_three, float) RUN(one_by_one, double) RUN(five_by_two, double) RUN(nine_by_nine, float)
    RUN(seven_by_any, double) RUN(any_by_four, float) RUN(none_by_any, double) RUN(any_by_none, double)
    RUN(constant_shorts, short) RUN(constant_longs, long)
    RUN_THREE(line, double) RUN_NEGATIVE_THREE(line, double) RUN_OVERLAPPING(line, double) RUN(lines, float) RUN(columns, double)
    RUN_THREE(cubes, double) RUN_THREE(cubes_last, float)
    RUN_THREE(channels_first, float) RUN_THREE(channels_first_added, double) RUN_OVERLAPPING(channels_first_added, double)
    RUN_THREE(channels_last, float) RUN_THREE(any_channels, double) RUN_THREE(each_channel, double) RUN_THREE(images, double)
    RUN(lower_window, double) RUN_THREE(triangle_window, double) RUN_THREE(below_triangle_window, float)
    RUN_THREE(rows_before, double) RUN_THREE(columns_before, double) RUN_THREE(all_before, float)
    RUN_THREE(as_wide_as_the_row, double) RUN(below_the_diagonal, double) RUN_THREE(triangle_started, double)
    RUN_THREE(borders, double) RUN_THREE(one_border, float) RUN(without_the_middle, double)
    RUN(box_sum, double) RUN(mean, float) RUN(greatest, float) RUN(least_int, int) RUN(factors, double) RUN(bits, uint64_t)
    RUN(distances, float) RUN(subtracted, double) RUN(weighted, double) RUN_THREE(narrow_sums, byte)
    RUN_NEGATIVE_THREE(narrow_sums, byte) RUN_THREE(wide_sums, float)
    RUN_THREE(scattered, double) RUN_THREE(polynomials, double) RUN_NEGATIVE_THREE(polynomials, double)
    RUN_THREE(gradients, double) RUN_THREE(contraction, double) RUN_THREE(contraction_across, float)
    RUN_THREE(contraction_added, double) RUN_OVERLAPPING(contraction_added, double) RUN_THREE(products_added, double)
    RUN_TWO(in_place_ahead, double) RUN_TWO(in_place_beside, double) RUN_TWO(in_place_behind, double)
    RUN_TWO(in_place_started, double) RUN_TWO(in_place_itself, float)
    return 0;
}
