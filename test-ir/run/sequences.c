// Several nests one after another, and several statements in a nest: fusion, fission, order.
// RUN: %execute %s
#include "kernel.h"

KERNEL(two_products, "double n*n, double n*n, double n*n, double n*n", double T[n][n], double A[n][n], double B[n][n],
       double D[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            T[i][j] = 0;
            for (int p = 0; p < n; p++) T[i][j] += 1.5 * A[i][p] * B[p][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            D[i][j] *= 1.2;
            for (int p = 0; p < n; p++) D[i][j] += T[i][p] * B[p][j];
        }
}

KERNEL(three_products, "double n*m, double m*n, double n*n, double n*n", double A[n][m], double B[m][n], double C[n][n],
       double D[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            C[i][j] = 0;
            for (int p = 0; p < m; p++) C[i][j] += A[i][p] * B[p][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            D[i][j] = 0;
            for (int p = 0; p < n; p++) D[i][j] += C[i][p] * C[p][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int p = 0; p < n; p++) sum += C[i][p] * D[p][j];
            C[i][j] = sum * 0.001;
        }
}

KERNEL(producer_consumer, "double n*m, double n*m, double n*m", double A[n][m], double B[n][m], double C[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) B[i][j] = A[i][j] * 2.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) C[i][j] = B[i][j] + 1.0;
}

KERNEL(consumer_needs_shift, "double n*m, double n*m, double n*m", double A[n][m], double B[n][m], double C[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) B[i][j] = A[i][j] * 2.0;
    for (int i = 0; i < n - 2; i++)
        for (int j = 0; j < m; j++) C[i][j] = B[i + 2][j] + B[i][j];
}

KERNEL(consumer_reads_transposed, "double n*n, double n*n, double n*n", double A[n][n], double B[n][n], double C[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) B[i][j] = A[i][j] * 2.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) C[i][j] += B[j][i];
}

KERNEL(consumer_reads_reversed, "double n, double n, double n", double *x, double *y, double *z) {
    for (int i = 0; i < n; i++) y[i] = x[i] + 1.0;
    for (int i = 0; i < n; i++) z[i] = y[n - 1 - i];
}

KERNEL(anti_then_write, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j < m; j++) B[i][j] = A[i + 1][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] = B[i][j] + 1.0;
}

KERNEL(atax, "double m, double n*m, double m, double n", double *y, double A[n][m], double *x, double *t) {
    for (int j = 0; j < m; j++) y[j] = 0;
    for (int i = 0; i < n; i++) {
        t[i] = 0;
        for (int j = 0; j < m; j++) t[i] = t[i] + A[i][j] * x[j];
        for (int j = 0; j < m; j++) y[j] = y[j] + A[i][j] * t[i];
    }
}

KERNEL(bicg, "double m, double n, double n*m, double m, double n", double *s, double *q, double A[n][m], double *p, double *r) {
    for (int j = 0; j < m; j++) s[j] = 0;
    for (int i = 0; i < n; i++) {
        q[i] = 0;
        for (int j = 0; j < m; j++) {
            s[j] += r[i] * A[i][j];
            q[i] += A[i][j] * p[j];
        }
    }
}

KERNEL(mvt, "double n, double n, double n*n, double n, double n", double *x, double *y, double A[n][n], double *u, double *v) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x[i] += A[i][j] * u[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) y[i] += A[j][i] * v[j];
}

KERNEL(gesummv, "double n, double n*n, double n*n, double n, double n", double *y, double A[n][n], double B[n][n], double *x,
       double *t) {
    for (int i = 0; i < n; i++) {
        t[i] = 0;
        y[i] = 0;
        for (int j = 0; j < n; j++) {
            t[i] = A[i][j] * x[j] + t[i];
            y[i] = B[i][j] * x[j] + y[i];
        }
        y[i] = 1.5 * t[i] + 1.2 * y[i];
    }
}

KERNEL(gemver, "double n*n, double n, double n, double n, double n", double A[n][n], double *u, double *v, double *x, double *w) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i][j] = A[i][j] + u[i] * v[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x[i] = x[i] + 1.2 * A[j][i] * v[j];
    for (int i = 0; i < n; i++) x[i] = x[i] + u[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) w[i] = w[i] + 1.5 * A[i][j] * x[j];
}

KERNEL(doitgen, "double n*m*k, double k*k, double k", double A[n][m][k], double C[k][k], double *s) {
    for (int r = 0; r < n; r++)
        for (int q = 0; q < m; q++) {
            for (int p = 0; p < k; p++) {
                s[p] = 0;
                for (int t = 0; t < k; t++) s[p] += A[r][q][t] * C[t][p];
            }
            for (int p = 0; p < k; p++) A[r][q][p] = s[p];
        }
}

KERNEL(covariance, "double n*m, double m*m, double m", double data[n][m], double cov[m][m], double mean[m]) {
    for (int j = 0; j < m; j++) {
        mean[j] = 0;
        for (int i = 0; i < n; i++) mean[j] += data[i][j];
        mean[j] /= n;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) data[i][j] -= mean[j];
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            cov[i][j] = 0;
            for (int p = 0; p < n; p++) cov[i][j] += data[p][i] * data[p][j];
            cov[i][j] /= n + 1.0;
            cov[j][i] = cov[i][j];
        }
}

KERNEL(correlation, "double n*m, double m, double m", double data[n][m], double mean[m], double deviation[m]) {
    for (int j = 0; j < m; j++) {
        mean[j] = 0;
        for (int i = 0; i < n; i++) mean[j] += data[i][j];
        mean[j] /= n;
    }
    for (int j = 0; j < m; j++) {
        deviation[j] = 0;
        for (int i = 0; i < n; i++) deviation[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        deviation[j] = sqrt(deviation[j] / n);
        deviation[j] = deviation[j] <= 0.1 ? 1.0 : deviation[j];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            data[i][j] -= mean[j];
            data[i][j] /= deviation[j] * 3.0;
        }
}

KERNEL(statements_in_order, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++) {
            A[i][j] = B[i - 1][j] + 1.0;
            B[i][j] = A[i][j] * 0.5;
        }
}

KERNEL(statements_swapped, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++) {
            B[i][j] = A[i][j] * 0.5;
            A[i][j] = B[i - 1][j] + 1.0;
        }
}

KERNEL(needs_fission, "double n*m, double n*m, double n*m", double A[n][m], double B[n][m], double C[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i][j - 1] * 0.5 + B[i][j];
            C[i][j] = B[i][j] * B[i][j];
        }
}

KERNEL(cycle_of_statements, "double n, double n", double *x, double *y) {
    for (int i = 1; i < n; i++) {
        x[i] = y[i - 1] * 0.5 + 1.0;
        y[i] = x[i - 1] * 0.5 + 2.0;
    }
}

KERNEL(many_statements, "double n*m, double n*m, double n*m, double n*m", double A[n][m], double B[n][m], double C[n][m],
       double D[n][m]) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            A[i][j] = B[i][j] + C[i][j];
            B[i][j] = A[i][j] * 2.0;
            C[i][j] = B[i][j] - D[i][j];
            D[i][j] = A[i][j] + B[i][j] + C[i][j];
            A[i][j] = D[i][j] * 0.5;
        }
}

KERNEL(different_depths, "double n, double n*m, double n*m*k", double *x, double A[n][m], double B[n][m][k]) {
    for (int i = 0; i < n; i++) {
        x[i] = 1.0;
        for (int j = 0; j < m; j++) {
            A[i][j] = x[i] * 2.0;
            for (int p = 0; p < k; p++) B[i][j][p] += A[i][j] + x[i];
            A[i][j] += 1.0;
        }
        x[i] += 0.5;
    }
}

KERNEL(different_extents, "double n*k, double m*k", double A[n][k], double B[m][k]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < k; j++) A[i][j] += 1.0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++) B[i][j] += 2.0;
}

KERNEL(scalar_code_between, "double n*m, double n*m, double 1", double A[n][m], double B[n][m], double *s) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] += B[i][j];
    *s = *s * 2.0 + 1.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) B[i][j] += *s;
}

KERNEL(size_changes_between, "double 1000, int 1", double *x, int *size) {
    *size = n;
    for (int i = 0; i < *size; i++) x[i] += 1.0;
    *size = m;
    for (int i = 0; i < *size; i++) x[i] *= 2.0;
}

KERNEL(ping_pong, "double n, double n", double *x, double *y) {
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < n; i++) y[i] = x[i] * 0.5 + 1.0;
        for (int i = 0; i < n; i++) x[i] = y[n - 1 - i] + 0.25;
    }
}

KERNEL(imperfect_product, "double n*m, double n*k, double k*m, double n", double C[n][m], double A[n][k], double B[k][m],
       double *x) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            C[i][j] = 0;
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
            x[i] += C[i][j];
        }
        for (int j = 0; j < m; j++) C[i][j] += x[i];
    }
}

KERNEL(same_array_two_nests, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][j] *= 0.5;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i][j] += 1.0;
}

KERNEL(even_then_odd, "double 2*n*m", double A[n][2 * m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][2 * j] += 1.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][2 * j + 1] += A[i][2 * j];
}

// Every nest of a sequence has a band of three loops, by itself only.
KERNEL(inverse_product, "dominant, double n*n", double A[n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            A[i][j] *= A[j][j];
            for (int k = j + 1; k < i; k++) A[i][j] += A[i][k] * A[k][j];
            A[i][j] *= -1.0 / A[i][i];
        }
        A[i][i] = 1.0 / A[i][i];
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            A[i][j] *= A[i][i];
            for (int k = i + 1; k < n; k++) A[i][j] += A[k][i] * A[k][j];
        }
    }
}
