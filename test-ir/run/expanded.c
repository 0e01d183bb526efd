// Values that travel in registers and live in no cell of the program get memory of their own.
// RUN: %execute %s
#include "kernel.h"

KERNEL(symm, "double n*m, double n*n, double n*m", double C[n][m], double A[n][n], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0.0;
            for (int p = 0; p < i; p++) {
                C[p][j] += 1.5 * B[i][j] * A[i][p];
                sum += B[p][j] * A[i][p];
            }
            C[i][j] = 1.2 * C[i][j] + 1.5 * B[i][j] * A[i][i] + 1.5 * sum;
        }
}

// A row's sum divides all of the row.
KERNEL(normalise, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++) {
        double sum = 1.0;
        for (int j = 0; j < m; j++) sum += A[i][j] * A[i][j];
        for (int j = 0; j < m; j++) A[i][j] /= sum;
    }
}

// The largest, then a sum, both used twice.
KERNEL(softmax, "double n*m, double n, double n", double A[n][m], double x[n], double y[n]) {
    for (int i = 0; i < n; i++) {
        double most = -1e30, sum = 0.0;
        for (int j = 0; j < m; j++) most = A[i][j] > most ? A[i][j] : most;
        for (int j = 0; j < m; j++) {
            A[i][j] = 1.0 / (1.0 + (A[i][j] - most) * (A[i][j] - most));
            sum += A[i][j];
        }
        for (int j = 0; j < m; j++) A[i][j] /= sum;
        x[i] = most;
        y[i] = sum + most;
    }
}

// Two sums over one loop, and a third behind them that needs both.
KERNEL(mean_and_deviation, "double n*m, double n", double A[n][m], double x[n]) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0, squares = 0.0;
        for (int j = 0; j < m; j++) {
            sum += A[i][j];
            squares += A[i][j] * A[i][j];
        }
        double both = 0.0;
        for (int j = 0; j < m; j++) both += (A[i][j] - sum) * squares;
        x[i] = both + sum * squares;
    }
}

// A sum over two loops, of triangular shape, that starts with what is in memory.
KERNEL(triangle, "double n*n, double n, double n", double A[n][n], double x[n], double y[n]) {
    for (int i = 0; i < n; i++) {
        double sum = x[i];
        for (int j = 0; j <= i; j++)
            for (int p = j; p < n; p++) sum += A[j][p] * y[p];
        y[i] = sum * x[i];
        x[i] = sum;
    }
}

// Carried from row to row, with a value of its own in every row.
KERNEL(carried, "double n*m, double n", double A[n][m], double x[n]) {
    double factor = 1.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < m; j++) sum += A[i][j] * factor;
        for (int j = 0; j < m; j++) A[i][j] += sum;
        factor = 0.5 * factor + 0.25;
        x[i] = factor * sum;
    }
}

KERNEL(durbin, "double n, double n, double n", double r[n], double y[n], double z[n]) {
    if (n < 1) return;
    y[0] = -r[0] * 0.1;
    double beta = 1.0, alpha = -r[0] * 0.1;
    for (int p = 1; p < n; p++) {
        beta = (1.0 - alpha * alpha) * beta + 2.0;
        double sum = 0.0;
        for (int i = 0; i < p; i++) sum += r[p - i - 1] * y[i];
        alpha = -(r[p] + sum) / beta * 0.1;
        for (int i = 0; i < p; i++) z[i] = y[i] + alpha * y[p - i - 1];
        for (int i = 0; i < p; i++) y[i] = z[i];
        y[p] = alpha;
    }
}

// Integers of other widths, and a loop that may not run at all.
KERNEL(counts, "int n*m, int n, short n", int A[n][m], int x[n], short y[n]) {
    for (int i = 0; i < n; i++) {
        int sum = 7;
        short odd = 0;
        for (int j = i; j < m; j++) {
            sum += A[i][j] & 0xff;
            odd += (short)(A[i][j] & 1);
        }
        for (int j = 0; j < m; j++) A[i][j] ^= sum & 0xfff;
        x[i] = sum & 0xffff;
        y[i] = (short)(odd + (sum & 3));
    }
}

// Under a condition on the counters.
KERNEL(guarded, "double n*m, double n", double A[n][m], double x[n]) {
    for (int i = 0; i < n; i++) {
        double sum = 0.5;
        if (i > 2)
            for (int j = 0; j < m; j++) sum += A[i][j];
        for (int j = 0; j < m; j++) A[i][j] -= 0.125 * sum;
        x[i] += sum;
    }
}

KERNEL(attention, "double n*n, double n*k, double n*k, double n*k", double S[n][n], double Q[n][k], double K[n][k], double O[n][k]) {
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            double dot = 0.0;
            for (int p = 0; p < k; p++) dot += Q[i][p] * K[j][p];
            S[i][j] = 1.0 / (1.0 + dot * dot);
            sum += S[i][j];
        }
        for (int p = 0; p < k; p++) {
            double dot = 0.0;
            for (int j = 0; j < n; j++) dot += S[i][j] * K[j][p];
            O[i][p] = dot / sum;
        }
    }
}
