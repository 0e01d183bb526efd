// Sums whose terms are those of a band around the cell: transposed convolutions in one to three dimensions, products of polynomials and power series, matrices that are bands or Toeplitz's, with filters longer
// and shorter than what they go over, by all kinds of counters and subscripts; and of arrays that overlap.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=4 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -ffp-contract=off -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -ffp-contract=off -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -march=native -ffp-contract=fast -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=fast -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
#include "windows.h"

// What goes in is `h` by `w`; what comes out is longer by the filter.
#define OUT(T) SIZES, T (*restrict out)[w + v], T (*restrict in)[w], T (*restrict f)[v], T *restrict more
#define ANY(T) SIZES, T (*out)[w + v], T (*in)[w], T (*f)[v], T *more
#define ADD out[i + p][j + q] += in[i][j] * f[p][q];

// Loops in other orders.
KERNEL transposed(OUT(double)) { POINTS WINDOW ADD }
KERNEL transposed_float(ANY(float)) { POINTS WINDOW ADD }
KERNEL window_outside(OUT(double)) { WINDOW POINTS ADD }
KERNEL window_between(OUT(float)) { LOOP(i, h) WINDOW LOOP(j, w) ADD }
KERNEL rows_inside(OUT(double)) { LOOP(j, w) LOOP(q, v) LOOP(i, h) LOOP(p, u) ADD }
KERNEL half_outside(OUT(double)) { LOOP(p, u) LOOP(i, h) LOOP(j, w) LOOP(q, v) ADD }
KERNEL zeroed(OUT(double)) {
    LOOP(i, h + u) LOOP(j, w + v) out[i][j] = 0;
    POINTS WINDOW ADD
}
KERNEL zeroed_to_the_end(OUT(double)) {
    LOOP(i, h + u - 1) LOOP(j, w + v - 1) out[i][j] = 0;
    POINTS WINDOW ADD
}
KERNEL row_by_row(OUT(float)) {
    LOOP(i, h) LOOP(p, u) {
        if (p == 0 && i == 0) LOOP(j, w + v) out[0][j] = 1;
        LOOP(j, w) LOOP(q, v) ADD
    }
}

// Bands along rows or columns only.
KERNEL along_rows(SIZES, double (*restrict out)[w + v], double (*restrict in)[w], double *restrict f) {
    POINTS LOOP(q, v) out[i][j + q] += in[i][j] * f[q];
}
KERNEL along_rows_any(SIZES, float (*out)[w + v], float (*in)[w], float *f) { POINTS LOOP(q, v) out[i][j + q] += in[i][j] * f[q]; }
KERNEL along_columns(SIZES, double (*restrict out)[w], double (*restrict in)[w], double *restrict f) {
    LOOP(i, h) LOOP(p, u) LOOP(j, w) out[i + p][j] += in[i][j] * f[p];
}
KERNEL along_columns_inside(SIZES, float (*restrict out)[w], float (*restrict in)[w], float *restrict f) {
    LOOP(j, w) LOOP(i, h) LOOP(p, u) out[i + p][j] += in[i][j] * f[p];
}
KERNEL many_filters(SIZES, double (*restrict out)[w + v], double *restrict in, double (*restrict f)[v]) {
    LOOP(i, h) LOOP(j, w) LOOP(q, v) out[i][j + q] += in[j] * f[i & 3][q];
}
KERNEL own_filters(SIZES, double (*restrict out)[w + v], double *restrict in, double (*restrict f)[v]) {
    LOOP(i, h) LOOP(j, w) LOOP(q, v) out[i][j + q] += in[j] * f[i][q];
}

// Strides, dilations, the other way round.
KERNEL strided(SIZES, float (*restrict out)[2 * w + v], float (*restrict in)[w], float (*restrict f)[v]) {
    POINTS WINDOW out[2 * i + p][2 * j + q] += in[i][j] * f[p][q];
}
KERNEL strided_rows(SIZES, float (*restrict out)[w + v], float (*restrict in)[w], float (*restrict f)[v]) {
    POINTS WINDOW out[2 * i + p][j + q] += in[i][j] * f[p][q];
}
KERNEL dilated(SIZES, float (*restrict out)[w + 3 * v], float (*restrict in)[w], float (*restrict f)[v]) {
    POINTS WINDOW out[i + 2 * p][j + 3 * q] += in[i][j] * f[p][q];
}
KERNEL flipped(OUT(double)) { POINTS WINDOW out[i + p][j + q] += in[i][j] * f[u - 1 - p][v - 1 - q]; }
KERNEL to_the_left(OUT(double)) { POINTS WINDOW out[i + u - p][j + v - q - 1] += in[i][j] * f[p][q]; }
KERNEL from_the_end(OUT(float)) { POINTS WINDOW out[h - i + p][w - 1 - j + q] += in[i][j] * f[p][q]; }
KERNEL all_backwards(OUT(double)) { POINTS WINDOW out[h + u - 1 - i - p][w + v - 1 - j - q] += in[i][j] * f[p][q]; }
KERNEL down(OUT(double)) {
    for (int i = h - 1; i >= 0; i--)
        for (int j = w - 1; j >= 0; j--)
            for (int p = u - 1; p >= 0; p--)
                for (int q = v - 1; q >= 0; q--) ADD
}
KERNEL filter_down(OUT(float)) {
    POINTS for (int p = u; p-- > 0;) for (int q = v; q-- > 0;) ADD
}

// Polynomials and series, by signed and unsigned counters; greatest and least sums; bits.
#define LINE(T) SIZES, T *restrict out, T *restrict in, T *restrict f
KERNEL polynomial(LINE(double)) { LOOP(i, h * w) LOOP(p, v) out[i + p] += in[i] * f[p]; }
KERNEL polynomial_float(SIZES, float *out, float *in, float *f) { LOOP(i, w) LOOP(p, h) out[i + p] += in[i] * f[p]; }
KERNEL polynomial_sizes(size_t h, size_t w, size_t u, size_t v, size_t tall, size_t wide, double *restrict out, double *restrict in, double *restrict f) {
    for (size_t i = 0; i < w; i++)
        for (size_t p = 0; p < w; p++) out[i + p] += in[i] * f[p];
}
KERNEL polynomial_of_words(unsigned h, unsigned w, unsigned u, unsigned v, unsigned tall, unsigned wide, uint64_t *restrict out, uint64_t *restrict in, uint64_t *restrict f) {
    for (unsigned i = 0; i < w; i++)
        for (unsigned p = 0; p < v; p++) out[i + p] += in[i] * f[p];
}
KERNEL polynomial_of_shorts(LINE(short)) { LOOP(i, w) LOOP(p, v) out[i + p] += in[i] * f[p]; }
KERNEL started(LINE(double)) {
    LOOP(k, w + v) out[k] = 0.25;
    LOOP(i, w) LOOP(p, v) out[i + p] += in[i] * f[p];
}
KERNEL truncated(LINE(double)) { LOOP(i, w) for (int p = 0; p < v && i + p < w; p++) out[i + p] += in[i] * f[p]; }
KERNEL series(LINE(double)) { LOOP(i, w) LOOP(p, w - i) out[i + p] += in[i] * f[p]; }
KERNEL square(SIZES, double *restrict out, double *restrict in) { LOOP(i, w) LOOP(p, w) out[i + p] += in[i] * in[p]; }
KERNEL half_square(SIZES, float *restrict out, float *restrict in) { LOOP(i, w) LOOP(p, i) out[i + p] += in[i] * in[p]; }
KERNEL by_cells(LINE(double)) {
    LOOP(k, w + v - 1) {
        double sum = 0;
        for (int p = (k - w + 1 > 0 ? k - w + 1 : 0); p < v && p <= k; p++) sum += in[k - p] * f[p];
        out[k] = sum;
    }
}
KERNEL power(LINE(float)) { LOOP(t, 3) LOOP(i, w) LOOP(p, v) out[i + p + t * 100] += in[i + t] * f[p]; }
KERNEL least_sums(LINE(float)) { LOOP(i, w) LOOP(p, v) out[i + p] = in[i] + f[p] < out[i + p] ? in[i] + f[p] : out[i + p]; }
KERNEL subtracted(LINE(double)) { LOOP(i, w) LOOP(p, v) out[i + p] -= in[i] * f[p]; }
KERNEL multiplied(LINE(double)) { LOOP(i, w) LOOP(p, v) out[i + p] *= in[i] + f[p]; }
KERNEL bits(LINE(unsigned)) { LOOP(i, w) LOOP(p, v) out[i + p] ^= in[i] & f[p]; }
KERNEL complex_numbers(SIZES, float (*restrict out)[2], float (*restrict in)[2], float (*restrict f)[2]) {
    LOOP(i, w) LOOP(p, v) {
        out[i + p][0] += in[i][0] * f[p][0] - in[i][1] * f[p][1];
        out[i + p][1] += in[i][0] * f[p][1] + in[i][1] * f[p][0];
    }
}
KERNEL sums_of_sums(LINE(double)) { LOOP(i, w) LOOP(p, v) LOOP(q, u) out[i + p + q] += in[i] * f[p] * f[q]; }
KERNEL at_a_distance(LINE(double)) { LOOP(i, w) LOOP(p, v) out[p] += in[i] * in[i + p]; }
KERNEL in_place(SIZES, double *out, double *more) { LOOP(i, w) LOOP(p, v) out[i + p] += out[i + p + w + v] * out[2 * (w + v) + p]; }

// Filters of constant size, and three dimensions.
#define CONSTANT(name, T, U, V)                                                                                                   \
    KERNEL name(SIZES, T (*restrict out)[w + 64], T (*restrict in)[w], T (*restrict f)[V + 1], T *restrict more) {                \
        POINTS LOOP(p, U) LOOP(q, V) ADD                                                                                          \
    }
CONSTANT(two_by_two, double, 2, 2)
CONSTANT(three_by_three, float, 3, 3)
CONSTANT(five_by_seven, double, 5, 7)
CONSTANT(one_by_forty, double, 1, 40)
CONSTANT(forty_by_any, float, 40, v)
CONSTANT(any_by_sixty, double, u, 60)
CONSTANT(none_by_any, double, 0, v)
KERNEL constant_points(SIZES, double (*restrict out)[64 + v], double (*restrict in)[64], double (*restrict f)[v]) {
    LOOP(i, 16) LOOP(j, 64) WINDOW ADD
}
KERNEL three_dimensions(SIZES, double (*restrict out)[8][w + v], double (*restrict in)[4][w], double (*restrict f)[3][v]) {
    LOOP(c, 3) LOOP(i, 4) LOOP(j, w) LOOP(r, 2) LOOP(p, 3) LOOP(q, v) out[c + r][i + p][j + q] += in[c][i][j] * f[r][p][q];
}
KERNEL channels(SIZES, float (*restrict out)[h + u][w + v], float (*restrict in)[h][w], float (*restrict f)[2][u][v]) {
    LOOP(o, 2) LOOP(c, 2) POINTS WINDOW out[o][i + p][j + q] += in[c][i][j] * f[o][c][p][q];
}

// Matrices that are bands or have the same numbers along diagonals.
KERNEL band_times_vector(SIZES, double *restrict out, double (*restrict in)[h + u], double *restrict f) {
    LOOP(i, h) for (int k = (i > u ? i - u : 0); k <= i + u && k < h; k++) out[i] += in[i][k] * f[k];
}
KERNEL band_times_matrix(SIZES, double (*restrict out)[w], double (*restrict in)[h], double (*restrict f)[w]) {
    LOOP(i, h) for (int k = (i > u ? i - u : 0); k <= i && k < h; k++) LOOP(j, w) out[i][j] += in[i][k] * f[k][j];
}
KERNEL matrix_times_band(SIZES, float (*restrict out)[w], float (*restrict in)[w], float (*restrict f)[w]) {
    LOOP(i, h) LOOP(j, w) for (int k = (j > v ? j - v : 0); k <= j; k++) out[i][j] += in[i][k] * f[k][j];
}
KERNEL stored_by_diagonals(SIZES, double *restrict out, double (*restrict in)[2 * v + 1], double *restrict f) {
    for (int i = v; i < w - v; i++)
        for (int d = -v; d <= v; d++) out[i] += in[i][d + v] * f[i + d];
}
KERNEL toeplitz(LINE(double)) { LOOP(i, w) LOOP(j, w) out[i] += in[i - j + w] * f[j]; }
KERNEL toeplitz_triangle(LINE(double)) { LOOP(i, w) LOOP(j, i + 1) out[i] += in[i - j] * f[j]; }
KERNEL toeplitz_times_matrix(SIZES, float (*restrict out)[w], float *restrict in, float (*restrict f)[w]) {
    LOOP(i, h) LOOP(k, i + 1) LOOP(j, w) out[i][j] += in[i - k] * f[k][j];
}
KERNEL hankel(LINE(float)) { LOOP(i, w) LOOP(j, v) out[i] += in[i + j] * f[j]; }
KERNEL convolved_bands(SIZES, double (*restrict out)[w], double (*restrict in)[w], double (*restrict f)[w]) {
    LOOP(i, h) LOOP(j, w) for (int k = (j - u > i ? j - u : i); k <= j && k < h; k++) out[i][j] += in[i][k] * f[k][j];
}

static const int bands[][4] = {
    {0, 0, 0, 0}, {1, 1, 1, 1}, {0, 5, 3, 3}, {5, 0, 3, 3}, {4, 6, 0, 3}, {4, 9, 3, 0}, {1, 17, 2, 3}, {17, 1, 3, 2}, {3, 5, 8, 9}, {2, 9, 3, 40}, {16, 16, 16, 16},
    {6, 33, 2, 31}, {12, 47, 5, 16}, {9, 64, 1, 48}, {50, 50, 3, 3}, {33, 57, 2, 5}, {30, 60, 7, 4}, {49, 49, 13, 13}, {24, 70, 24, 30}, {5, 129, 3, 65},
};
static const int negative_bands[][4] = {{-1, 4, 3, 3}, {4, -3, 3, 3}, {6, 9, -1, 3}, {6, 9, 3, -2}, {8, 16, -5, -4}, {-8, -16, 5, 4}};

// The same array, one a little further on, the filter among what comes out.
#define OVERLAPPING(name, T, ...)                                                                                                 \
    OVER(bands, name, T, memory, memory, THIRD, ##__VA_ARGS__)                                                                    \
    OVER(bands, name, T, memory + 96, memory, THIRD, ##__VA_ARGS__)                                                               \
    OVER(bands, name, T, memory, memory + sizeof(T), THIRD, ##__VA_ARGS__)                                                        \
    OVER(bands, name, T, memory, SECOND, (void *)(memory + 80), ##__VA_ARGS__)

#define SUM(name, T, ...)                                                                                                         \
    {                                                                                                                             \
        uint64_t all = 1;                                                                                                         \
        OVER(bands, name, T, FIRST, SECOND, ##__VA_ARGS__)                                                                        \
        SHOW(#name);                                                                                                              \
    }
#define LINE_SUM(name, T, ...)                                                                                                    \
    {                                                                                                                             \
        uint64_t all = 1;                                                                                                         \
        OVER(bands, name, T, FIRST, SECOND, ##__VA_ARGS__)                                                                        \
        OVER(negative_bands, name, T, FIRST, SECOND, ##__VA_ARGS__)                                                               \
        SHOW(#name);                                                                                                              \
    }
#define SUM_ANY(name, T, ...)                                                                                                     \
    SUM(name, T, THIRD, ##__VA_ARGS__)                                                                                            \
    {                                                                                                                             \
        uint64_t all = 1;                                                                                                         \
        OVERLAPPING(name, T, ##__VA_ARGS__)                                                                                       \
        SHOW(#name " overlapping");                                                                                               \
    }

int main(void) {
    SUM(transposed, double, THIRD, FOURTH)
    SUM_ANY(transposed_float, float, FOURTH)
    SUM(window_outside, double, THIRD, FOURTH)
    SUM(window_between, float, THIRD, FOURTH)
    SUM(rows_inside, double, THIRD, FOURTH)
    SUM(half_outside, double, THIRD, FOURTH)
    SUM(zeroed, double, THIRD, FOURTH)
    SUM(zeroed_to_the_end, double, THIRD, FOURTH)
    SUM(row_by_row, float, THIRD, FOURTH)
    SUM(along_rows, double, THIRD)
    SUM_ANY(along_rows_any, float)
    SUM(along_columns, double, THIRD)
    SUM(along_columns_inside, float, THIRD)
    SUM(many_filters, double, THIRD)
    SUM(own_filters, double, THIRD)
    SUM(strided, float, THIRD)
    SUM(strided_rows, float, THIRD)
    SUM(dilated, float, THIRD)
    SUM(flipped, double, THIRD, FOURTH)
    SUM(to_the_left, double, THIRD, FOURTH)
    SUM(from_the_end, float, THIRD, FOURTH)
    SUM(all_backwards, double, THIRD, FOURTH)
    SUM(down, double, THIRD, FOURTH)
    SUM(filter_down, float, THIRD, FOURTH)
    LINE_SUM(polynomial, double, THIRD)
    SUM_ANY(polynomial_float, float)
    {
        uint64_t all = 1;
        OVER(bands, polynomial_sizes, double, FIRST, SECOND, THIRD)
        OVER(bands, polynomial_of_words, uint64_t, FIRST, SECOND, THIRD)
        SHOW("unsigned");
    }
    LINE_SUM(polynomial_of_shorts, short, THIRD)
    SUM(started, double, THIRD)
    LINE_SUM(truncated, double, THIRD)
    LINE_SUM(series, double, THIRD)
    LINE_SUM(square, double)
    LINE_SUM(half_square, float)
    LINE_SUM(by_cells, double, THIRD)
    LINE_SUM(power, float, THIRD)
    LINE_SUM(least_sums, float, THIRD)
    LINE_SUM(subtracted, double, THIRD)
    LINE_SUM(multiplied, double, THIRD)
    LINE_SUM(bits, unsigned, THIRD)
    SUM(complex_numbers, float, THIRD)
    LINE_SUM(sums_of_sums, double, THIRD)
    LINE_SUM(at_a_distance, double, THIRD)
    {
        uint64_t all = 1;
        OVER(bands, in_place, double, FIRST, FIRST)
        SHOW("in_place");
    }
    SUM(two_by_two, double, THIRD, FOURTH)
    SUM(three_by_three, float, THIRD, FOURTH)
    SUM(five_by_seven, double, THIRD, FOURTH)
    SUM(one_by_forty, double, THIRD, FOURTH)
    SUM(forty_by_any, float, THIRD, FOURTH)
    SUM(any_by_sixty, double, THIRD, FOURTH)
    SUM(none_by_any, double, THIRD, FOURTH)
    SUM(constant_points, double, THIRD)
    SUM(three_dimensions, double, THIRD)
    SUM(channels, float, THIRD)
    SUM(band_times_vector, double, THIRD)
    SUM(band_times_matrix, double, THIRD)
    SUM(matrix_times_band, float, THIRD)
    SUM(stored_by_diagonals, double, THIRD)
    SUM(toeplitz, double, THIRD)
    SUM(toeplitz_triangle, double, THIRD)
    SUM(toeplitz_times_matrix, float, THIRD)
    SUM(hankel, float, THIRD)
    SUM(convolved_bands, double, THIRD)
    return 0;
}
