// Values carried in registers whose first ones are in no memory, and values that branches bring: statements in parts.
// RUN: %execute %s
#include "kernel.h"

KERNEL(deriche_rows, "float n*m, float n*m", float in[n][m], float out[n][m]) {
    for (int i = 0; i < n; i++) {
        float x1 = 0, y1 = 0, y2 = 0;
        for (int j = 0; j < m; j++) {
            out[i][j] = 0.3f * in[i][j] + 0.2f * x1 + 0.4f * y1 - 0.1f * y2;
            x1 = in[i][j];
            y2 = y1;
            y1 = out[i][j];
        }
    }
}

KERNEL(deriche_columns, "float n*m, float n*m", float in[n][m], float out[n][m]) {
    for (int j = 0; j < m; j++) {
        float x1 = 0, y1 = 0, y2 = 0;
        for (int i = 0; i < n; i++) {
            out[i][j] = 0.3f * in[i][j] + 0.2f * x1 + 0.4f * y1 - 0.1f * y2;
            x1 = in[i][j];
            y2 = y1;
            y1 = out[i][j];
        }
    }
}

KERNEL(deriche_columns_back, "float n*m, float n*m", float in[n][m], float out[n][m]) {
    for (int j = 0; j < m; j++) {
        float x1 = 0, x2 = 1, y1 = 2, y2 = 3;
        for (int i = n - 1; i >= 0; i--) {
            out[i][j] = 0.2f * x1 + 0.1f * x2 + 0.4f * y1 - 0.1f * y2;
            x2 = x1;
            x1 = in[i][j];
            y2 = y1;
            y1 = out[i][j];
        }
    }
}

// Three iterations back.
KERNEL(third_order, "double n*m", double A[n][m]) {
    for (int j = 0; j < m; j++) {
        double a = 1, b = 2, c = 3;
        for (int i = 0; i < n; i++) {
            A[i][j] += 0.25 * a - 0.125 * b + 0.5 * c;
            c = b;
            b = a;
            a = A[i][j];
        }
    }
}

// It starts with a value of the row, and with one that comes from outside.
KERNEL(starts, "double n*m, double n, double m", double A[n][m], double x[n], double y[m]) {
    for (int i = 0; i < n; i++) {
        double last = x[i] * 0.5;
        for (int j = 0; j < m; j++) {
            A[i][j] = 0.5 * A[i][j] + 0.5 * last;
            last = A[i][j];
        }
    }
    for (int j = 0; j < m; j++) {
        double last = y[0];
        for (int i = 0; i < n; i++) {
            A[i][j] = A[i][j] - 0.5 * last;
            last = A[i][j];
        }
    }
}

// Overwritten since: the value of the iteration before is not in memory any more.
KERNEL(overwritten, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++) {
        double last = 0;
        for (int j = 0; j < m; j++) {
            double now = A[i][j];
            B[i][j] = now - last;
            A[i][j] = 0.5;
            last = now;
        }
    }
}

// In two loops at once.
KERNEL(both_ways, "double n*m", double A[n][m]) {
    double corner = 1;
    for (int i = 0; i < n; i++) {
        double last = corner;
        for (int j = 0; j < m; j++) {
            A[i][j] = A[i][j] * 0.5 + last * 0.25;
            last = A[i][j];
        }
        corner = 2;
    }
}

// Two sums that start in one place.
KERNEL(two_sums, "double n*m, double n, double n", double A[n][m], double x[n], double y[n]) {
    for (int i = 0; i < n; i++) {
        double sum = 0, squares = 0;
        for (int j = 0; j < m; j++) {
            sum += A[i][j];
            squares += A[i][j] * A[i][j];
        }
        x[i] = sum / 7;
        y[i] = squares / 7 - x[i] * x[i];
    }
}

// One store at the end of both branches: on a size, on counters, on data.
KERNEL(by_size, "double n*n, double n*k", double C[n][n], double A[n][k]) {
    double beta = m > 4 ? 0 : 0.5;
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++) {
            double t = 0;
            for (int l = 0; l < k; l++) t += A[i][l] * A[j][l];
            if (beta == 0)
                C[i][j] = 2 * t;
            else
                C[i][j] = 2 * t + beta * C[i][j];
        }
}

KERNEL(by_counter, "double n*m, double m*n", double A[n][m], double B[m][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double t;
            if (i > j)
                t = B[j][i] * 3;
            else
                t = 2 - A[i][j];
            A[i][j] = t * 0.5;
        }
}

KERNEL(by_data, "double n*m, double m*n, double n*m", double A[n][m], double B[m][n], double C[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double t;
            if (C[i][j] > 0.5)
                t = B[j][i] * 3;
            else
                t = 1 / (2 + A[i][j] * A[i][j]);
            A[i][j] = t * 0.5;
        }
}

// What decides is the cell that is stored to: it decides once.
KERNEL(decided_once, "double n*m, double m*n", double A[n][m], double B[m][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double t;
            if (A[i][j] > 0.5)
                t = B[j][i] * 0.125;
            else
                t = 1 + B[j][i] / (1 + A[i][j] * A[i][j]);
            A[i][j] = t;
        }
}

// As above, but another cell of the same array, which is sometimes the same.
KERNEL(sometimes_the_same, "double n*m, double m*n", double A[n][m], double B[m][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < m; l++) {
                double t;
                if (A[i][l] > 0.5)
                    t = B[j][i] * 0.125;
                else
                    t = 1 + B[l][i] * 0.5;
                A[i][j] = t;
            }
}

// The sum, or what it started with.
KERNEL(sum_or_start, "double n*m, double m, double m", double A[n][m], double x[m], double y[m]) {
    for (int j = 0; j < m; j++) {
        double t = 0, r = 0;
        for (int i = 0; i < n; i++) t += A[i][j];
        if (j > 5) {
            x[j] = 3;
            r = t;
        }
        y[j] = r;
    }
}

// Counters of 32 bits, from the diagonal down.
KERNEL(intervals, "int n, int n*n", int s[n], int T[n][n]) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            if (T[i][j - 1] > T[i][j]) T[i][j] = T[i][j - 1];
            if (i + 1 < n) {
                if (T[i + 1][j] > T[i][j]) T[i][j] = T[i + 1][j];
                int paired = T[i + 1][j - 1] + (i < j - 1 && (s[i] & 3) + (s[j] & 3) == 3);
                if (paired > T[i][j]) T[i][j] = paired;
            }
            for (int l = i + 1; l < j; l++) {
                int sum = (T[i][l] & 0xffff) + (T[l + 1][j] & 0xffff);
                if (sum > T[i][j]) T[i][j] = sum;
            }
        }
}
