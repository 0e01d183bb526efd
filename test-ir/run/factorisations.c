// Factorisations in place, in their several forms.
// RUN: %execute %s
#include "kernel.h"

KERNEL(cholesky_right, "dominant, double n*n", double A[n][n]) {
    for (int p = 0; p < n; p++) {
        A[p][p] = sqrt(A[p][p]);
        for (int i = p + 1; i < n; i++) A[i][p] /= A[p][p];
        for (int i = p + 1; i < n; i++)
            for (int j = p + 1; j <= i; j++) A[i][j] -= A[i][p] * A[j][p];
    }
}

KERNEL(cholesky_right_columns, "dominant, double n*n", double A[n][n]) {
    for (int p = 0; p < n; p++) {
        A[p][p] = sqrt(A[p][p]);
        for (int i = p + 1; i < n; i++) A[i][p] /= A[p][p];
        for (int j = p + 1; j < n; j++)
            for (int i = j; i < n; i++) A[i][j] -= A[i][p] * A[j][p];
    }
}

KERNEL(cholesky_left, "dominant, double n*n", double A[n][n]) {
    for (int j = 0; j < n; j++) {
        for (int p = 0; p < j; p++)
            for (int i = j; i < n; i++) A[i][j] -= A[i][p] * A[j][p];
        A[j][j] = sqrt(A[j][j]);
        for (int i = j + 1; i < n; i++) A[i][j] /= A[j][j];
    }
}

KERNEL(cholesky_rows, "dominant, double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int p = 0; p < j; p++) A[i][j] -= A[i][p] * A[j][p];
            A[i][j] /= A[j][j];
        }
        for (int p = 0; p < i; p++) A[i][i] -= A[i][p] * A[i][p];
        A[i][i] = sqrt(A[i][i]);
    }
}

// The sum for the diagonal stands alone, in front of the root.
KERNEL(cholesky_columns, "dominant, double n*n, double n*n", double A[n][n], double L[n][n]) {
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int p = 0; p < j; p++) sum += L[j][p] * L[j][p];
        L[j][j] = sqrt(A[j][j] - sum);
        for (int i = j + 1; i < n; i++) {
            sum = 0;
            for (int p = 0; p < j; p++) sum += L[i][p] * L[j][p];
            L[i][j] = (A[i][j] - sum) / L[j][j];
        }
    }
}

KERNEL(cholesky_columns_in_place, "dominant, double n*n", double A[n][n]) {
    for (int j = 0; j < n; j++) {
        for (int p = 0; p < j; p++) A[j][j] -= A[j][p] * A[j][p];
        A[j][j] = sqrt(A[j][j]);
        for (int i = j + 1; i < n; i++) {
            for (int p = 0; p < j; p++) A[i][j] -= A[i][p] * A[j][p];
            A[i][j] /= A[j][j];
        }
    }
}

KERNEL(lu_right, "dominant, double n*n", double A[n][n]) {
    for (int p = 0; p < n; p++) {
        for (int i = p + 1; i < n; i++) A[i][p] /= A[p][p];
        for (int i = p + 1; i < n; i++)
            for (int j = p + 1; j < n; j++) A[i][j] -= A[i][p] * A[p][j];
    }
}

KERNEL(lu_right_shifted, "dominant, double n*n", double A[n][n]) {
    for (int p = 0; p < n; p++) {
        for (int i = 0; i < n - p - 1; i++) A[i + p + 1][p] /= A[p][p];
        for (int i = 0; i < n - p - 1; i++)
            for (int j = 0; j < n - p - 1; j++) A[i + p + 1][j + p + 1] -= A[i + p + 1][p] * A[p][j + p + 1];
    }
}

KERNEL(lu_right_columns, "dominant, double n*n", double A[n][n]) {
    for (int p = 0; p < n; p++) {
        for (int i = p + 1; i < n; i++) A[i][p] /= A[p][p];
        for (int j = p + 1; j < n; j++)
            for (int i = p + 1; i < n; i++) A[i][j] -= A[i][p] * A[p][j];
    }
}

KERNEL(lu_rows, "dominant, double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int p = 0; p < j; p++) A[i][j] -= A[i][p] * A[p][j];
            A[i][j] /= A[j][j];
        }
        for (int j = i; j < n; j++)
            for (int p = 0; p < i; p++) A[i][j] -= A[i][p] * A[p][j];
    }
}

KERNEL(lu_fused, "dominant, double n*n", double A[n][n]) {
    for (int p = 0; p < n; p++)
        for (int i = p + 1; i < n; i++) {
            A[i][p] /= A[p][p];
            for (int j = p + 1; j < n; j++) A[i][j] -= A[i][p] * A[p][j];
        }
}

KERNEL(ldlt, "dominant, double n*n, double n", double A[n][n], double d[n]) {
    for (int j = 0; j < n; j++) {
        d[j] = A[j][j];
        for (int i = j + 1; i < n; i++) A[i][j] /= d[j];
        for (int i = j + 1; i < n; i++)
            for (int p = j + 1; p <= i; p++) A[i][p] -= A[i][j] * d[j] * A[p][j];
    }
}

KERNEL(gauss_jordan, "dominant, double n*n, double n*m", double A[n][n], double B[n][m]) {
    for (int p = 0; p < n; p++)
        for (int i = 0; i < n; i++)
            if (i != p) {
                double factor = A[i][p] / A[p][p];
                for (int j = p; j < n; j++) A[i][j] -= factor * A[p][j];
                for (int j = 0; j < m; j++) B[i][j] -= factor * B[p][j];
            }
}

KERNEL(gram_schmidt, "double m*n, double n*n, double m*n", double A[m][n], double R[n][n], double Q[m][n]) {
    for (int p = 0; p < n; p++) {
        double norm = 0;
        for (int i = 0; i < m; i++) norm += A[i][p] * A[i][p];
        R[p][p] = sqrt(norm) + 1.0;
        for (int i = 0; i < m; i++) Q[i][p] = A[i][p] / R[p][p];
        for (int j = p + 1; j < n; j++) {
            R[p][j] = 0;
            for (int i = 0; i < m; i++) R[p][j] += Q[i][p] * A[i][j];
            for (int i = 0; i < m; i++) A[i][j] = A[i][j] - Q[i][p] * R[p][j];
        }
    }
}

KERNEL(lu_and_solve, "dominant, double n*n, double n, double n", double A[n][n], double x[n], double b[n]) {
    for (int p = 0; p < n; p++)
        for (int i = p + 1; i < n; i++) {
            A[i][p] /= A[p][p];
            for (int j = p + 1; j < n; j++) A[i][j] -= A[i][p] * A[p][j];
        }
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++) x[i] -= A[i][j] * x[j];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) x[i] -= A[i][j] * x[j];
        x[i] /= A[i][i];
    }
}
