// Loop forms: steps, directions, comparisons, types of induction variables, subscripts with coefficients.
// RUN: %execute %s
#include "kernel.h"

KERNEL(step_two, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i += 2)
        for (int j = 0; j < m; j += 2) A[i][j] += B[i][j];
}

KERNEL(step_three_product, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = 0; i < n; i += 3)
        for (int j = 1; j < m; j += 2)
            for (int p = 0; p < k; p += 3) C[i][j] += A[i][p] * B[p][j];
}

KERNEL(step_two_from_row, "double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j += 2) A[i][j] = A[j][i] + 1.0;
}

KERNEL(descending, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = m - 1; j >= 0; j--) A[i][j] = B[i][j] + 1.0;
}

KERNEL(descending_by_three, "double n*m", double A[n][m]) {
    for (int i = n - 1; i >= 0; i -= 3)
        for (int j = 0; j < m; j++) A[i][j] = A[i][j] * 2.0 + 1.0;
}

KERNEL(countdown, "double n", double x[n]) {
    for (int i = n; i-- > 0;) x[i] += (double)i;
}

KERNEL(unsigned_countdown, "double n*m", double A[n][m]) {
    for (unsigned i = (unsigned)n; i-- > 0;)
        for (unsigned j = (unsigned)m; j-- > 0;) A[i][j] *= 3.0;
}

KERNEL(less_or_equal, "double (n+1)*(m+1)", double A[n + 1][m + 1]) {
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) A[i][j] += 1.5;
}

KERNEL(not_equal, "double n*m", double A[n][m]) {
    for (int i = 0; i != n; i++)
        for (int j = 0; j != m; ++j) A[i][j] += 1.5;
}

KERNEL(not_equal_pointers, "double n*m, double n*m", double *A, double *B) {
    for (double *end = A + (long)n * m; A != end; A++, B++) *A = *B * 2.0;
}

KERNEL(unsigned_variables, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (unsigned i = 1; i < (unsigned)n; i++)
        for (unsigned j = 0; j < (unsigned)m; j++) A[i][j] = B[i - 1][j];
}

KERNEL(size_t_variables, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (size_t j = 0; j < (size_t)m; j++)
        for (size_t i = 0; i < (size_t)n; i++) A[i][j] += B[i][j];
}

KERNEL(long_variables, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (long j = 0; j < m; j++)
        for (long i = 0; i < n; i++) A[i][j] += B[i][j];
}

KERNEL(short_variables, "double n*m", double A[n][m]) {
    for (short i = 0; i < n; i++)
        for (short j = 0; j < m; j++) A[i][j] += 1.0;
}

KERNEL(unsigned_char_variable, "double n*m", double A[n][m]) {
    for (unsigned char i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] -= 1.0;
}

KERNEL(mixed_widths, "double n*m, double n*m", double *A, double *B) {
    for (int i = 0; i < n; i++)
        for (long j = 0; j < m; j++) A[i * m + j] += B[(unsigned)i * (unsigned)m + (unsigned)j];
}

KERNEL(do_while, "double n*m", double A[n][m]) {
    if (n <= 0 || m <= 0) return;
    int i = 0;
    do {
        int j = 0;
        do A[i][j] += 0.5;
        while (++j < m);
    } while (++i < n);
}

KERNEL(while_loop, "double n*m", double A[n][m]) {
    int i = 0;
    while (i < n) {
        int j = 0;
        while (j < m) {
            A[i][j] = A[i][j] * A[i][j];
            j++;
        }
        i++;
    }
}

KERNEL(from_size_to_size, "double n+m+k", double *x) {
    for (int i = k; i < n; i++) x[i] += 1.0;
    for (int i = n; i < n + m; i++) x[i] += 2.0;
}

KERNEL(two_variables, "double n, double 2*n", double *x, double *y) {
    for (int i = 0, j = 2 * n - 1; i < n; i++, j -= 2) x[i] += y[j];
}

KERNEL(two_variables_meet, "double n", double *x) {
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        double t = x[i];
        x[i] = x[j];
        x[j] = t;
    }
}

KERNEL(even_elements, "double 2*n, double n", double *x, double *y) {
    for (int i = 0; i < n; i++) x[2 * i] += y[i];
}

KERNEL(every_third, "double 3*n*m, double n*m", double *x, double *y) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) x[3 * (i * m + j) + 1] = y[i * m + j] + x[3 * (i * m + j) + 2];
}

KERNEL(scaled_subscripts, "double 2*n*3*m", double A[2 * n][3 * m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[2 * i][3 * j] = A[2 * i + 1][3 * j + 2] * 0.5;
}

KERNEL(sum_of_subscripts, "double n+m, double n, double m", double *z, double *x, double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) z[i + j] += x[i] * y[j];
}

KERNEL(difference_of_subscripts, "double n+m, double n*m", double *z, double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) z[i - j + m] += A[i][j];
}

KERNEL(half_range, "double n*m", double A[n][m]) {
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < m; j++) A[i][j] += A[n - 1 - i][j];
}

KERNEL(flattened, "double n*m, double n*m", double *A, double *B) {
    for (int i = 0; i < n * m; i++) A[i] += B[i];
}

KERNEL(flattened_then_nested, "double n*m, double n*m", double *A, double *B) {
    for (int i = 0; i < n * m; i++) A[i] = 0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i * m + j] += B[i * m + j];
}

KERNEL(quotient_and_remainder, "double n*m, double n*m", double *A, double *B) {
    for (int t = 0; t < n * m; t++) A[t] += B[(t % m) * n + t / m];
}

KERNEL(doubling, "double n+1", double *x) {
    for (int i = 1; i <= n; i *= 2) x[i] += x[i / 2];
}

KERNEL(square_subscript, "double n*n+1, double n", double *x, double *y) {
    for (int i = 0; i < n; i++) x[i * i] += y[i];
}

KERNEL(variable_step, "double n*m", double A[n][m]) {
    int step = k < 1 ? 1 : k;
    for (int i = 0; i < n; i += step)
        for (int j = 0; j < m; j++) A[i][j] += 1.0;
}

KERNEL(invariant_offset, "double n*(m+k)", double A[n][m + k]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j + k] = A[i][j] * 0.5;
}

KERNEL(triangle_from_the_end, "double n*n", double A[n][n]) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = n - 1; j >= i; j--) A[i][j] = A[j][i] + 1.0;
}

KERNEL(single_iteration, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int t = 0; t < 1; t++)
            for (int j = 0; j < m; j++) A[i][j] += 1.0;
}

KERNEL(repeated, "double n*m", double A[n][m]) {
    for (int t = 0; t < k; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) A[i][j] = A[i][j] * 0.5 + 1.0;
}
