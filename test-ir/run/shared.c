// Nests that share an outer loop because they hand each other values in cells that every iteration uses again: kernels inside of that loop.
// RUN: %execute %s
#include "kernel.h"

KERNEL(scores, "double n*m, double n*m, double n*m, double n*m, double n", double O[n][m], double Q[n][m],
       double K[n][m], double V[n][m], double s[n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            s[j] = 0.0;
            for (int k = 0; k < m; k++) s[j] += Q[i][k] * K[j][k];
        }
        double sum = 0.0;
        for (int j = 0; j < n; j++) sum += s[j];
        for (int k = 0; k < m; k++) O[i][k] = 0.0;
        for (int j = 0; j < n; j++)
            for (int k = 0; k < m; k++) O[i][k] += (s[j] + sum) * V[j][k];
    }
}

// Each row sees those before it.
KERNEL(causal_scores, "float n*m, float n*m, float n*m, float n*m, float n", float O[n][m], float Q[n][m], float K[n][m],
       float V[n][m], float s[n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            s[j] = 1.0f;
            for (int k = 0; k < m; k++) s[j] += Q[i][k] * K[j][k];
        }
        for (int k = 0; k < m; k++)
            for (int j = 0; j <= i; j++) O[i][k] += s[j] * V[j][k];
    }
}

// The second sum needs all of the first, and the first of the next row the second.
KERNEL(steps_of_a_network, "double n, double n, double n*n, double n*n, double m*n", double h[n], double g[n],
       double U[n][n], double W[n][n], double x[m][n]) {
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < n; i++) {
            g[i] = x[t][i];
            for (int j = 0; j < n; j++) g[i] += U[i][j] * h[j];
        }
        for (int i = 0; i < n; i++) h[i] = 0.5 * g[i];
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) h[i] -= W[j][i] * g[j];
    }
}

KERNEL(power_iteration, "float n, float n, float n*n", float x[n], float y[n], float A[n][n]) {
    for (int t = 0; t < 7; t++) {
        for (int i = n - 1; i >= 0; i--) {
            y[i] = 0.0f;
            for (int j = 0; j < n; j++) y[i] += A[i][j] * x[j];
        }
        for (int i = 0; i < n; i++) x[i] = y[i] * 0.125f;
    }
}

// A matrix that every pair of factors uses again: rows and columns of its kernel inside of the loop over the pairs.
KERNEL(pairs_of_products, "double n*n, double m*n*n, double m*n*n, double m*n*n", double T[n][n], double A[m][n][n],
       double B[m][n][n], double C[m][n][n]) {
    for (int b = 0; b < m; b++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                T[i][j] = 0.0;
                for (int k = 0; k < n; k++) T[i][j] += A[b][i][k] * B[b][k][j];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < n; k++) C[b][i][j] -= T[i][k] * A[b][j][k];
    }
}

KERNEL(rows_by_a_buffer, "double n, double m*n*n, double n*n", double s[n], double A[m][n][n], double C[n][n]) {
    for (int r = 0; r < m; r++)
        for (int q = 0; q < n; q++) {
            for (int p = 0; p < n; p++) {
                s[p] = 0.0;
                for (int t = 0; t < n; t++) s[p] += A[r][q][t] * C[t][p];
            }
            for (int p = 0; p < n; p++) A[r][q][p] = s[p];
        }
}

// Nothing can leave the loop over slices, but within it every nest can stand alone: the product has rows.
KERNEL(slices_by_a_buffer, "double m*n*k, double k*k, double n*k", double A[m][n][k], double C[k][k], double w[n][k]) {
    for (int r = 0; r < m; r++)
        for (int q = 0; q < n; q++) {
            for (int p = 0; p < k; p++) {
                w[q][p] = 0.0;
                for (int t = 0; t < k; t++) w[q][p] += A[r][q][t] * C[t][p];
            }
            for (int p = 0; p < k; p++) A[r][q][p] = w[q][p];
        }
}

KERNEL(slices_and_their_last_row, "float m*n*k, float k*k, float n*k, float k", float A[m][n][k], float C[k][k], float w[n][k], float last[k]) {
    if (n == 0) return;
    for (int r = 0; r < m; r++) {
        for (int q = 0; q < n; q++)
            for (int p = 0; p < k; p++) {
                w[q][p] = 0.0f;
                for (int t = 0; t < k; t++) w[q][p] += A[r][q][t] * C[t][p];
            }
        for (int q = 0; q < n; q++)
            for (int p = 0; p < k; p++) A[r][q][p] = w[q][p];
        for (int p = 0; p < k; p++) last[p] += w[n - 1][p] * 0.5f;
    }
}

// A matrix to a power: each product goes into the other matrix, and back.
KERNEL(powers, "double n*n, double n*n, double n*n", double A[n][n], double B[n][n], double C[n][n]) {
    for (int r = 0; r < m; r++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                C[i][j] = 0.0;
                for (int l = 0; l < n; l++) C[i][j] += A[i][l] * B[l][j];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) A[i][j] = C[i][j] * 0.125;
    }
}
