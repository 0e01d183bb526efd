// Short filters, whose number of taps is known at run time only; and such that have none for some sizes, where LLVM makes a nest of its own for what is left.
// RUN: %execute %s
#include "kernel.h"

KERNEL(fir, "float n, float n+m, float m", float y[n], float x[n + m], float h[m]) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++) sum += h[j] * x[i + m - 1 - j];
        y[i] = sum;
    }
}

KERNEL(radius, "double n*m, double n*m, double 2*k+1", double out[n][m], double in[n][m], double g[2 * k + 1]) {
    for (int i = 0; i < n; i++)
        for (int j = k; j < m - k; j++) {
            double sum = 0;
            for (int p = -k; p <= k; p++) sum += g[p + k] * in[i][j + p];
            out[i][j] = sum;
        }
}

KERNEL(no_taps, "negative, double n*m, double n*m, double 2*k+1", double *out, double *in, double *g) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int p = -k; p <= k; p++) sum += g[p + k] * in[i * m + j];
            out[i * m + j] = sum;
        }
}

KERNEL(both_ways, "double n*m, double n*m, double n*m, double 2*k+1", double out[n][m], double between[n][m], double in[n][m], double g[2 * k + 1]) {
    for (int i = 0; i < n; i++)
        for (int j = k; j < m - k; j++) {
            double sum = 0;
            for (int p = -k; p <= k; p++) sum += g[p + k] * in[i][j + p];
            between[i][j] = sum;
        }
    for (int i = k; i < n - k; i++)
        for (int j = k; j < m - k; j++) {
            double sum = 0;
            for (int p = -k; p <= k; p++) sum += g[p + k] * between[i + p][j];
            out[i][j] = sum;
        }
}

KERNEL(few_rows, "double m, double n*m, double n", double y[m], double A[n][m], double x[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[j] += A[i][j] * x[i];
}

// Windows that overlap, by symbolic strides, which may be zero: cells that are read have several names.
KERNEL(strided, "double n, double n*m+4*k+1, double 5", double y[n], double *x, double h[5]) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int p = 0; p < 5; p++) sum += h[p] * x[i * m + p * k];
        y[i] = sum;
    }
}

KERNEL(strided_channels, "float 3*n, float 2*n*m+4*k+1, float 3*2*4", float *y, float *x, float *w) {
    for (int o = 0; o < 3; o++)
        for (int i = 0; i < n; i++) {
            float sum = 0;
            for (int c = 0; c < 2; c++)
                for (int p = 0; p < 4; p++) sum += x[c * n * m + i * m + p * k] * w[(o * 2 + c) * 4 + p];
            y[o * n + i] = sum;
        }
}

// The same array is written: its cells must be told apart, or the source runs.
KERNEL(strided_in_place, "double n*m+3*k+1, double 4", double *x, double h[4]) {
    for (int i = 0; i < n; i++)
        for (int p = 0; p < 4; p++) x[i * m + p * k] += h[p] * x[i * m];
}

// A product in blocks of eight, whose terms LLVM unrolls.
KERNEL(blocks_of_eight, "double 8*n*8*n, double 8*n*8*n, double 8*n*8*n", double *C, double *A, double *B) {
    int N = 8 * n;
    for (int ii = 0; ii < N; ii += 8)
        for (int jj = 0; jj < N; jj += 8)
            for (int kk = 0; kk < N; kk += 8)
                for (int i = ii; i < ii + 8; i++)
                    for (int j = jj; j < jj + 8; j++) {
                        double s = C[i * N + j];
                        for (int p = kk; p < kk + 8; p++) s += A[i * N + p] * B[p * N + j];
                        C[i * N + j] = s;
                    }
}
