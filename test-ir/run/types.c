// Element types and conversions.
// RUN: %execute %s
#include "kernel.h"

KERNEL(float_product, "float n*m, float n*k, float k*m", float C[n][m], float A[n][k], float B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
}

KERNEL(int_product, "int n*m, int n*k, int k*m", int C[n][m], int A[n][k], int B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] = (int)((unsigned)C[i][j] + (unsigned)A[i][p] * (unsigned)B[p][j]);
}

KERNEL(unsigned_product, "unsigned n*m, unsigned n*k, unsigned k*m", unsigned C[n][m], unsigned A[n][k], unsigned B[k][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
}

KERNEL(long_product, "long n*m, long n*k, long k*m", long C[n][m], long A[n][k], long B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int p = 0; p < k; p++)
            for (int j = 0; j < m; j++) C[i][j] = (long)((unsigned long)C[i][j] + (unsigned long)A[i][p] * (unsigned long)B[p][j]);
}

KERNEL(short_to_int, "int n*m, short n*k, short k*m", int C[n][m], short A[n][k], short B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int sum = 0;
            for (int p = 0; p < k; p++) sum += A[i][p] * B[p][j];
            C[i][j] = sum;
        }
}

KERNEL(char_image, "char n*m, char n*m", unsigned char A[n][m], unsigned char B[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            A[i][j] = (unsigned char)((B[i - 1][j] + B[i + 1][j] + B[i][j - 1] + B[i][j + 1]) / 4);
}

KERNEL(float_sums_in_double, "double n, float n*m", double s[n], float A[n][m]) {
    for (int i = 0; i < n; i++) {
        s[i] = 0;
        for (int j = 0; j < m; j++) s[i] += A[i][j];
    }
}

KERNEL(double_to_float, "float n*m, double n*m", float A[n][m], double B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = (float)B[i][j];
}

KERNEL(int_to_double, "double n*m, int n*m", double A[n][m], int B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] += B[i][j];
}

KERNEL(index_as_value, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] = (double)i * 0.5 + (double)(j * n);
}

KERNEL(index_as_int_value, "int n*m", int A[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = i * m + j;
}

KERNEL(bits, "unsigned n*m, unsigned n*m", unsigned A[n][m], unsigned B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = (A[i][j] << 3) ^ (B[i][j] >> 2) ^ ~A[i][j];
}

KERNEL(int_division, "int n*m, int n*m", int A[n][m], int B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = A[i][j] / (B[i][j] * B[i][j] + 1) + A[i][j] % 7;
}

KERNEL(guarded_int_division, "int n*m, int n*m", int A[n][m], int B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (B[i][j] != 0) A[i][j] /= B[i][j];
}

KERNEL(short_wraps, "short n*m, short n*m", short A[n][m], short B[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = (short)(A[i][j] * 700 + B[i][j]);
}

KERNEL(float_jacobi, "float n*m, float n*m", float A[n][m], float B[n][m]) {
    for (int t = 0; t < 3; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) B[i][j] = 0.2f * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) A[i][j] = B[i][j];
    }
}

KERNEL(mixed_bytes, "double n, float n, short n, char n", double *a, float *b, short *c, signed char *d) {
    for (int i = 0; i < n; i++) {
        a[i] += b[i];
        b[i] *= c[i];
        c[i] = (short)(c[i] + d[i]);
        d[i] = (signed char)i;
    }
}

KERNEL(halves_of_doubles, "double n", double *x) {
    unsigned char *bytes = (unsigned char *)x;
    for (int i = 0; i < n; i++) bytes[8 * i] = (unsigned char)i;
    for (int i = 0; i < n; i++) x[i] += 1.0;
}

KERNEL(gather_by_index, "double n, double m, int n", double *y, double *x, int *index) {
    for (int i = 0; i < n; i++)
        if (m > 0) y[i] += x[(unsigned)index[i] % (unsigned)m];
}

KERNEL(scatter_by_index, "double m, double n, int n", double *y, double *x, int *index) {
    for (int i = 0; i < n; i++)
        if (m > 0) y[(unsigned)index[i] % (unsigned)m] += x[i];
}

KERNEL(histogram, "unsigned 101, char n*m", unsigned *count, unsigned char *data) {
    for (int i = 0; i < n * m; i++) count[data[i]]++;
}
