// Rows that consist of sections (queries, keys and values), roots of rows that inner loops use, cells of flat arrays in lanes of which not all run, and conditions that counters of other loops decide.
// RUN: %execute %s
#include "kernel.h"

// k heads of m cells in each section of c = k*m.
KERNEL(attention, "float n*3*k*m, float n*3*k*m, float n*k*n, float n*k*m", float *D, float *X, float *P, float *O) {
    int c = k * m;
    for (int t = 0; t < n; t++)
        for (int h = 0; h < k; h++)
            for (int u = 0; u <= t; u++) {
                float *value = X + u * 3 * c + h * m + 2 * c, *key = X + u * 3 * c + h * m + c;
                for (int i = 0; i < m; i++) {
                    P[(t * k + h) * n + u] += value[i] * O[t * c + h * m + i];
                    D[u * 3 * c + h * m + 2 * c + i] += P[(t * k + h) * n + u] * O[t * c + h * m + i];
                }
                for (int i = 0; i < m; i++) {
                    D[t * 3 * c + h * m + i] += key[i] * P[(t * k + h) * n + u];
                    D[u * 3 * c + h * m + c + i] += X[t * 3 * c + h * m + i] * P[(t * k + h) * n + u];
                }
            }
}

// Sections that overlap: heads are wider than they should be.
KERNEL(overlapping_heads, "double n*(3*m+k)+3*m+k+m, double m", double *D, double *w) {
    for (int t = 0; t < n; t++)
        for (int h = 0; h < k; h++)
            for (int i = 0; i < m; i++) {
                D[t * 3 * m + h + i + m] += D[t * 3 * m + h + i] * w[i];
                D[t * 3 * m + h + i + 2 * m] += D[t * 3 * m + h + i + m] * w[i];
            }
}

KERNEL(layer_norm, "float n*m*k, float n*m*k, float n*m, float n*m, float k", float Y[n][m][k], float X[n][m][k], float mean[n][m],
       float root[n][m], float w[k]) {
    for (int b = 0; b < n; b++)
        for (int t = 0; t < m; t++) {
            float sum = 0, squares = 0;
            for (int i = 0; i < k; i++) sum += X[b][t][i];
            sum = sum / k;
            for (int i = 0; i < k; i++) squares += (X[b][t][i] - sum) * (X[b][t][i] - sum);
            float scale = 1 / sqrtf(squares / k + 1e-5f);
            for (int i = 0; i < k; i++) Y[b][t][i] = scale * (X[b][t][i] - sum) * w[i];
            mean[b][t] = sum;
            root[b][t] = scale;
        }
}

// The root is of a negative number at times, and stored where it is computed, or not.
KERNEL(roots, "double n*m, double n*m, double n", double Y[n][m], double X[n][m], double r[n]) {
    for (int i = 0; i < n; i++) {
        double s = sqrt(r[i] - 0.5), q = 2 / sqrt(r[i] + s);
        r[i] = s;
        for (int j = 0; j < m; j++) Y[i][j] += X[i][j] * q + s;
    }
}

#define LOCAL(TYPE, M)                                                                                              \
    KERNEL(local_##TYPE##_##M, #TYPE " n*" #M "*" #M ", " #TYPE " n*" #M "*" #M ", " #TYPE " n*" #M "*" #M,         \
           TYPE C[n][M][M], TYPE A[n][M][M], TYPE B[n][M][M]) {                                                     \
        for (int b = 0; b < n; b++) {                                                                               \
            TYPE t[M][M];                                                                                           \
            memset(t, 0, sizeof t);                                                                                 \
            for (int i = 0; i < M; i++)                                                                             \
                for (int p = 0; p < M; p++)                                                                         \
                    for (int j = 0; j < M; j++) t[i][j] += A[b][i][p] * B[b][p][j];                                 \
            memcpy(C[b], t, sizeof t);                                                                              \
        }                                                                                                           \
    }
LOCAL(double, 12)
LOCAL(double, 6)
LOCAL(float, 10)
LOCAL(float, 18)

// Rows of a flat array meet where lanes beyond the end of a row would run.
KERNEL(flat_rows, "double n*12, double n*m, double m*12", double *C, double A[n][m], double B[m][12]) {
    for (int i = 0; i < n * 12; i++) C[i] = 1;
    for (int i = 0; i < n; i++)
        for (int p = 0; p < m; p++)
            for (int j = 0; j < 12; j++) C[i * 12 + j] += A[i][p] * B[p][j];
}

KERNEL(classes, "float k*m, float n*m, int n", float C[k][m], float X[n][m], int *label) {
    for (int c = 0; c < k; c++)
        for (int i = 0; i < n; i++)
            if ((label[i] & 3) == c)
                for (int d = 0; d < m; d++) C[c][d] += X[i][d];
}

KERNEL(by_number, "double k*m, double n*m, int n", double C[k][m], double X[n][m], int *label) {
    for (int i = 0; i < n; i++)
        for (int c = 0; c < k; c++)
            if (label[i] > 2 * c + i && X[i][0] > c)
                for (int d = 0; d < m; d++) C[c][d] = X[i][d] * c + C[c][d];
}
