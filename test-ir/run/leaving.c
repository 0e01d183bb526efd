// Sums, and what a loop computes last, that are wanted behind the loops and live in no array of the program.
// RUN: %execute %s
#include "kernel.h"

// Power iteration: a sum inside of the outermost loop, and what its last iteration made of it.
KERNEL(power, "double n*n, double n, double n", double A[n][n], double x[n], double y[n]) {
    double lambda = 0.0;
    for (int t = 0; t < m; t++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++) {
            double s = 0.0;
            for (int j = 0; j < n; j++) s += A[i][j] * x[j];
            y[i] = s;
            sum += s * s;
        }
        lambda = sqrt(sum) + 1.0;
        for (int i = 0; i < n; i++) x[i] = y[i] / lambda;
    }
    note(lambda);
}

// Over the whole nest, beside a product; zero where there is nothing.
KERNEL(product_and_sum, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double s = 0.0;
            for (int p = 0; p < k; p++) s += A[i][p] * B[p][j];
            C[i][j] = s;
            sum += s * s;
        }
    note(sum);
}

// Starts with -0.0, and with what is in memory.
KERNEL(starts, "double n*m, double n*m, double 1", double A[n][m], double B[n][m], double x[1]) {
    double least = -0.0, sum = x[0];
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            A[i][j] = A[i][j] * 0.5 + B[i][j];
            least = least * 0.5 + B[i][j];
            sum -= A[i][j];
        }
    note(least);
    note(1.0 / sum);
}

// Integers, one of them used in the loops as well as behind them.
KERNEL(counted, "int n*m, int n*m, int n", int A[n][m], int B[n][m], int x[n]) {
    int sum = 0;
    unsigned hash = 7;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            A[i][j] += B[i][j] * 3;
            sum += A[i][j];
            hash = hash * 31u + (unsigned)B[i][j];
        }
        x[i] = sum;
    }
    note(sum);
    note(hash);
}

// Another value where nothing runs.
KERNEL(or_else, "float n*m, float m*n", float A[n][m], float B[m][n]) {
    float most = -1.0f;
    if (n > 2) {
        most = 0.0f;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                A[i][j] = B[j][i] * 2.0f;
                most = B[j][i] > most ? B[j][i] : most;
            }
    }
    note(most);
}

// Wanted by loops behind, with another sum between.
KERNEL(chained, "double n*m, double n*m, double m", double A[n][m], double B[n][m], double x[m]) {
    double sum = 1.0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            B[i][j] += A[i][j];
            sum += B[i][j] * B[i][j];
        }
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] = B[i][j] / sum;
    double most = 0.0;
    for (int j = 0; j < m; j++) {
        double s = 0.0;
        for (int i = 0; i < n; i++) s += A[i][j] * sum;
        x[j] = s;
        most += s;
    }
    note(sum);
    note(most);
}

// The sum of the last sweep alone, and how many there were.
KERNEL(sweeps, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    double sum = -1.0;
    int t;
    for (t = 0; t < k; t++) {
        sum = 0.0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                B[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
                sum += fabs(B[i][j] - A[i][j]);
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) A[i][j] = B[i][j];
    }
    note(sum);
    note(t);
}

// Inside of a loop that is none of ours: a call stands in it.
KERNEL(called, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    double all = 0.0;
    for (int t = 0; t < k; t++) {
        double sum = all;
        for (int j = 0; j < m; j++)
            for (int i = 0; i < n; i++) {
                A[i][j] = A[i][j] * 0.5 + B[i][j];
                sum += A[i][j];
            }
        note(sum);
        all = sum * 0.25;
    }
    note(all);
}

// Under a condition on the data, and one on the counters.
KERNEL(conditions, "double n*n, double n*n", double A[n][n], double B[n][n]) {
    double sum = 0.0, below = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            A[i][j] = B[j][i] + 1.0;
            if (B[j][i] > 0.5) sum += B[j][i];
            if (j < i) below += A[i][j];
        }
    note(sum);
    note(below);
}

// The last of each row's, the last of them all.
KERNEL(last, "double n*m, double m*n, double n", double A[n][m], double B[m][n], double x[n]) {
    double v = 3.0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            v = B[j][i] * 0.5;
            A[i][j] = v + 1.0;
        }
        x[i] = v;
    }
    note(v);
}
