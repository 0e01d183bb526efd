// Triangular solves, products and updates; triangular and trapezoidal domains.
// RUN: %execute %s
#include "kernel.h"

KERNEL(trisolve, "double m*n, double m*n, double n*n", double A[m][n], double B[m][n], double U[n][n]) {
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) A[i][j] = B[i][j];
        for (int j = 0; j < n; j++) {
            A[i][j] /= U[j][j];
            for (int p = j + 1; p < n; p++) A[i][p] -= A[i][j] * U[j][p];
        }
    }
}

KERNEL(trisolve_shifted, "double m*n, double m*n, double n*n", double A[m][n], double B[m][n], double U[n][n]) {
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) A[i][j] = B[i][j];
        for (int j = 0; j < n; j++) {
            A[i][j] /= U[j][j];
            for (int p = 0; p < n - j - 1; p++) A[i][p + j + 1] -= A[i][j] * U[j][p + j + 1];
        }
    }
}

KERNEL(trisolve_from_one, "double m*n, double m*n, double n*n", double A[m][n], double B[m][n], double U[n][n]) {
    for (int i = 1; i <= m; i++) {
        for (int j = 1; j <= n; j++) A[i - 1][j - 1] = B[i - 1][j - 1];
        for (int j = 1; j <= n; j++) {
            A[i - 1][j - 1] /= U[j - 1][j - 1];
            for (int p = j + 1; p <= n; p++) A[i - 1][p - 1] -= A[i - 1][j - 1] * U[j - 1][p - 1];
        }
    }
}

KERNEL(trisolve_column_major, "double m*n, double m*n, double n*n", double A[n][m], double B[n][m], double U[n][n]) {
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) A[j][i] = B[j][i];
        for (int j = 0; j < n; j++) {
            A[j][i] /= U[j][j];
            for (int p = j + 1; p < n; p++) A[p][i] -= A[j][i] * U[p][j];
        }
    }
}

KERNEL(trisolve_column_major_shifted, "double m*n, double m*n, double n*n", double A[n][m], double B[n][m], double U[n][n]) {
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) A[j][i] = B[j][i];
        for (int j = 0; j < n; j++) {
            A[j][i] /= U[j][j];
            for (int p = 0; p < n - j - 1; p++) A[p + j + 1][i] -= A[j][i] * U[p + j + 1][j];
        }
    }
}

KERNEL(trisolve_left_looking, "double m*n, double m*n, double n*n", double A[m][n], double B[m][n], double U[n][n]) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            A[i][j] = B[i][j];
            for (int p = 0; p < j; p++) A[i][j] -= A[i][p] * U[p][j];
            A[i][j] /= U[j][j];
        }
}

KERNEL(trisolve_in_place, "noalias, double m*n, double n*n", double A[restrict m][n], double U[restrict n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            A[i][j] /= U[j][j];
            for (int p = j + 1; p < n; p++) A[i][p] -= A[i][j] * U[j][p];
        }
}

KERNEL(forward_substitution, "dominant, double n*n, double n, double n", double L[n][n], double x[n], double b[n]) {
    for (int i = 0; i < n; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++) x[i] -= L[i][j] * x[j];
        x[i] /= L[i][i];
    }
}

KERNEL(forward_substitution_columns, "dominant, double n*n, double n, double n", double L[n][n], double x[n], double b[n]) {
    for (int i = 0; i < n; i++) x[i] = b[i];
    for (int j = 0; j < n; j++) {
        x[j] /= L[j][j];
        for (int i = j + 1; i < n; i++) x[i] -= L[i][j] * x[j];
    }
}

KERNEL(back_substitution, "dominant, double n*n, double n, double n", double U[n][n], double x[n], double b[n]) {
    for (int i = n - 1; i >= 0; i--) {
        double sum = b[i];
        for (int j = i + 1; j < n; j++) sum -= U[i][j] * x[j];
        x[i] = sum / U[i][i];
    }
}

KERNEL(triangular_product, "double n*m, double n*n", double B[n][m], double A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            for (int p = i + 1; p < n; p++) B[i][j] += A[p][i] * B[p][j];
            B[i][j] *= 1.5;
        }
}

KERNEL(triangular_gemv, "double n, double n*n, double n", double y[n], double L[n][n], double x[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) y[i] += L[i][j] * x[j];
}

KERNEL(triangular_gemv_transposed, "double n, double n*n, double n", double y[n], double L[n][n], double x[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) y[j] += L[i][j] * x[i];
}

KERNEL(syrk, "double n*n, double n*m", double C[n][n], double A[n][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) C[i][j] *= 1.2;
        for (int p = 0; p < m; p++)
            for (int j = 0; j <= i; j++) C[i][j] += 1.5 * A[i][p] * A[j][p];
    }
}

KERNEL(syrk_dots, "double n*n, double n*m", double C[n][n], double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            double sum = 0;
            for (int p = 0; p < m; p++) sum += A[i][p] * A[j][p];
            C[i][j] = sum;
            C[j][i] = sum;
        }
}

KERNEL(syr2k, "double n*n, double n*m, double n*m", double C[n][n], double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) C[i][j] *= 1.2;
        for (int p = 0; p < m; p++)
            for (int j = 0; j <= i; j++) C[i][j] += A[j][p] * 1.5 * B[i][p] + B[j][p] * 1.5 * A[i][p];
    }
}

KERNEL(symm, "double n*m, double n*n, double n*m", double C[n][m], double A[n][n], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int p = 0; p < i; p++) {
                C[p][j] += 1.5 * B[i][j] * A[i][p];
                sum += B[p][j] * A[i][p];
            }
            C[i][j] = 1.2 * C[i][j] + 1.5 * B[i][j] * A[i][i] + 1.5 * sum;
        }
}

KERNEL(mirror_lower, "double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) A[j][i] = A[i][j];
}

KERNEL(clear_upper, "double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) A[i][j] = 0;
}

KERNEL(trapezoid, "double n*(n+m), double n, double n+m", double A[n][n + m], double x[n], double y[n + m]) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < i + m; j++) A[i][j] += x[i] * y[j];
}

KERNEL(anti_triangle, "double n*n, double n*n", double A[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - i; j++) A[i][j] = B[j][i] + A[i][j];
}

KERNEL(tetrahedron, "double n*n*n", double A[n][n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int p = j; p <= i; p++) A[i][j][p] = A[i][p][j] * 0.5 + A[i][j][j];
}

KERNEL(diagonal_band, "double n*n, double n*n", double A[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = i > 2 ? i - 2 : 0; j < (i + 3 < n ? i + 3 : n); j++) A[i][j] += B[i][j];
}

KERNEL(sum_of_triangle_rows, "double n, double n*n", double s[n], double A[n][n]) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j <= i; j++) sum += A[i][j];
        s[i] = sum;
    }
}

KERNEL(half_slope, "double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; 2 * j <= i; j++) A[i][j] = A[i][2 * j] + 1.0;
}
