// Buffers that every iteration writes anew get memory for each of them: products of matrices go through one row otherwise. What the last iteration leaves is there afterwards.
// RUN: %execute %s
#include "kernel.h"

KERNEL(rows_by_a_buffer, "double m*n*k, double k*k, double k", double A[m][n][k], double C[k][k], double s[k]) {
    for (int r = 0; r < m; r++)
        for (int q = 0; q < n; q++) {
            for (int p = 0; p < k; p++) {
                s[p] = 0.0;
                for (int t = 0; t < k; t++) s[p] += A[r][q][t] * C[t][p];
            }
            for (int p = 0; p < k; p++) A[r][q][p] = s[p];
        }
}

KERNEL(sum_in_a_register, "float n*k, float k*m, float n*m, float m", float A[n][k], float C[k][m], float O[n][m], float s[m]) {
    for (int q = 0; q < n; q++) {
        for (int p = 0; p < m; p++) {
            float sum = 1.0f;
            for (int t = 0; t < k; t++) sum += A[q][t] * C[t][p];
            s[p] = sum;
        }
        for (int p = 0; p < m; p++) O[q][p] = s[p] * s[m - 1 - p];
    }
}

// The last row is the longest.
KERNEL(growing, "double n*m, double n*m, double n*m, double n*m, double n", double O[n][m], double Q[n][m], double K[n][m], double V[n][m], double s[n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            s[j] = 0.0;
            for (int l = 0; l < m; l++) s[j] += Q[i][l] * K[j][l];
        }
        for (int j = 0; j <= i; j++)
            for (int l = 0; l < m; l++) O[i][l] += s[j] * V[j][l];
    }
}

// The first row is the longest: cells of earlier rows stay.
KERNEL(shrinking, "double n*m, double n*m, double n*m, double n", double O[n][m], double Q[n][m], double K[n][m], double s[n]) {
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            s[j] = 0.0;
            for (int l = 0; l < m; l++) s[j] += Q[i][l] * K[j][l];
        }
        for (int l = 0; l < m && i + l < n; l++) O[i][l] += s[i + l];
    }
}

// Read behind the loop, changed there, and written anew.
KERNEL(used_behind, "double n*k, double k*m, double m+3, double k*m", double A[n][k], double C[k][m], double s[m + 3], double D[k][m]) {
    for (int b = 0; b < k; b++) {
        for (int q = 0; q < n; q++) {
            for (int p = 0; p < m; p++) s[p + 2] = b;
            for (int t = 0; t < k; t++)
                for (int p = 0; p < m; p++) s[p + 2] += A[q][t] * C[t][p];
            for (int t = 0; t < k; t++) A[q][t] = A[q][t] * 0.5 + (t < m ? s[t + 2] : 0.0) * 0.0625;
        }
        for (int p = 0; p < m; p++) D[b][p] += s[p + 2] + s[p];
        for (int p = 0; p < m + 3; p++) s[p] *= 0.25;
    }
}

// Backwards, in whole numbers, with two buffers.
KERNEL(two_buffers, "int n*k, int k*m, int m, int k", int A[n][k], int C[k][m], int s[m], int u[k]) {
    for (int q = n - 1; q >= 0; q--) {
        for (int p = 0; p < m; p++) {
            s[p] = q;
            for (int t = 0; t < k; t++) s[p] += A[q][t] * C[t][p];
        }
        for (int t = 0; t < k; t++) {
            u[t] = 0;
            for (int p = 0; p < m; p++) u[t] += s[p] * C[t][p];
        }
        for (int t = 0; t < k; t++) A[q][t] ^= u[t];
    }
}

// A plane.
KERNEL(plane, "double n*k, double k*m*m, double m*m, double n*m", double A[n][k], double C[k][m][m], double s[m][m], double O[n][m]) {
    for (int q = 0; q < n; q++) {
        for (int p = 0; p < m; p++)
            for (int r = 0; r < m; r++) {
                s[p][r] = 0.0;
                for (int t = 0; t < k; t++) s[p][r] += A[q][t] * C[t][p][r];
            }
        for (int p = 0; p < m; p++)
            for (int r = 0; r < m; r++) O[q][p] += s[p][r] * s[r][p];
    }
}

// Only some rows.
KERNEL(under_a_condition, "double n*k, double k*m, double m, double n*m", double A[n][k], double C[k][m], double s[m], double O[n][m]) {
    for (int q = 2; q < n - 1; q += 2) {
        for (int p = 0; p < m; p++) s[p] = O[q][p];
        for (int t = 0; t < k; t++)
            for (int p = 0; p < m; p++) s[p] -= A[q][t] * C[t][p];
        for (int p = 0; p < m; p++) O[q][p] = s[p];
    }
}

// Not written by every row, or not before it is read: no buffer.
KERNEL(left_from_before, "double n*k, double k*m, double m, double n*m", double A[n][k], double C[k][m], double s[m], double O[n][m]) {
    for (int q = 0; q < n; q++) {
        for (int p = 0; p < m; p++) {
            if (p < q) s[p] = 1.0;
            for (int t = 0; t < k; t++) s[p] += A[q][t] * C[t][p] * 0.125;
        }
        for (int p = 0; p < m; p++) O[q][p] = s[p];
    }
}
