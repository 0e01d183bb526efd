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
