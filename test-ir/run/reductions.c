// Reductions and values carried in registers. None may be reordered, for floating point is not associative.
// RUN: %execute %s
#include "kernel.h"

KERNEL(dot, "double 1, double n, double n", double *s, double *x, double *y) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    *s = sum;
}

KERNEL(sum_in_memory, "double 1, double n", double *s, double *x) {
    for (int i = 0; i < n; i++) *s += x[i];
}

KERNEL(sum_of_matrix, "double 1, double n*m", double *s, double A[n][m]) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) sum += A[i][j];
    *s = sum;
}

KERNEL(sum_of_matrix_by_columns, "double 1, double n*m", double *s, double A[n][m]) {
    double sum = 0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) sum += A[i][j];
    *s = sum;
}

KERNEL(row_sums, "double n, double n*m", double s[n], double A[n][m]) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) sum += A[i][j];
        s[i] = sum;
    }
}

KERNEL(column_sums, "double m, double n*m", double s[m], double A[n][m]) {
    for (int j = 0; j < m; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += A[i][j];
        s[j] = sum;
    }
}

KERNEL(column_sums_in_memory, "double m, double n*m", double s[m], double A[n][m]) {
    for (int j = 0; j < m; j++) s[j] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s[j] += A[i][j];
}

KERNEL(column_means, "double m, double n*m", double s[m], double A[n][m]) {
    for (int j = 0; j < m; j++) {
        s[j] = 0;
        for (int i = 0; i < n; i++) s[j] += A[i][j];
        s[j] /= n;
    }
}

KERNEL(row_maxima, "double n, double n*m", double s[n], double A[n][m]) {
    for (int i = 0; i < n; i++) {
        double largest = -1e300;
        for (int j = 0; j < m; j++)
            if (A[i][j] > largest) largest = A[i][j];
        s[i] = largest;
    }
}

KERNEL(column_maxima, "double m, double n*m", double s[m], double A[n][m]) {
    for (int j = 0; j < m; j++) {
        double largest = -1e300;
        for (int i = 0; i < n; i++) largest = A[i][j] > largest ? A[i][j] : largest;
        s[j] = largest;
    }
}

KERNEL(position_of_maximum, "int 1, double n", int *at, double *x) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > x[best]) best = i;
    *at = best;
}

KERNEL(product_of_elements, "double 1, double n", double *s, double *x) {
    double product = 1;
    for (int i = 0; i < n; i++) product *= x[i];
    *s = product;
}

KERNEL(int_sum, "int 1, int n*m", int *s, int A[n][m]) {
    int sum = 0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) sum += A[i][j];
    *s = sum;
}

KERNEL(exclusive_or, "unsigned 1, unsigned n*m", unsigned *s, unsigned A[n][m]) {
    unsigned all = 0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) all ^= A[i][j] + (unsigned)i;
    *s = all;
}

KERNEL(sum_and_sum_of_squares, "double 2, double n*m", double *s, double A[n][m]) {
    double sum = 0, squares = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            sum += A[i][j];
            squares += A[i][j] * A[i][j];
        }
    s[0] = sum;
    s[1] = squares;
}

KERNEL(compensated_sum, "double 1, double n", double *s, double *x) {
    double sum = 0, lost = 0;
    for (int i = 0; i < n; i++) {
        double y = x[i] - lost, t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }
    *s = sum;
}

KERNEL(sum_carried_over_nests, "double n, double n*m, double n*m", double s[n], double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) sum += A[i][j];
        for (int j = 0; j < m; j++) sum += B[i][j];
        s[i] = sum;
    }
}

KERNEL(sum_used_by_next_nest, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++) {
        double sum = 1.0;
        for (int j = 0; j < m; j++) sum += B[i][j] * B[i][j];
        for (int j = 0; j < m; j++) A[i][j] = B[i][j] / sum;
    }
}

KERNEL(running_sum_stored, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++) {
            sum += B[i][j];
            A[i][j] = sum;
        }
    }
}

KERNEL(running_sum_of_columns, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int j = 0; j < m; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += B[i][j];
            A[i][j] = sum;
        }
    }
}

KERNEL(sum_over_all_then_store, "double n, double n*m", double s[n], double A[n][m]) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) sum += A[i][j];
        s[i] = sum;
    }
}

KERNEL(previous_value, "double n, double n", double *x, double *y) {
    double previous = 0;
    for (int i = 0; i < n; i++) {
        x[i] = y[i] - previous;
        previous = y[i];
    }
}

KERNEL(previous_two_values, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 0; i < n; i++) {
        double a = 0, b = 0;
        for (int j = 0; j < m; j++) {
            A[i][j] = B[i][j] + a * 0.5 + b * 0.25;
            b = a;
            a = B[i][j];
        }
    }
}

KERNEL(conditional_count, "int n, double n*m", int *count, double A[n][m]) {
    for (int i = 0; i < n; i++) {
        int c = 0;
        for (int j = 0; j < m; j++)
            if (A[i][j] > 0) c++;
        count[i] = c;
    }
}

KERNEL(difference_reduction, "double n, double n*m", double s[n], double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s[i] = A[i][j] - s[i] * 0.5;
}

KERNEL(polynomial, "double n, double n, double m", double *y, double *x, double *coefficient) {
    for (int i = 0; i < n; i++) {
        double value = 0;
        for (int j = m - 1; j >= 0; j--) value = value * x[i] * 0.5 + coefficient[j];
        y[i] = value;
    }
}

KERNEL(reduction_over_two_loops, "double n, double n*m*k", double s[n], double A[n][m][k]) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) sum += A[i][j][p];
        s[i] = sum;
    }
}

KERNEL(reduction_over_outer_loop, "double m*k, double n*m*k", double S[m][k], double A[n][m][k]) {
    for (int j = 0; j < m; j++)
        for (int p = 0; p < k; p++) S[j][p] = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) S[j][p] += A[i][j][p];
}

KERNEL(sum_starts_from_memory, "double n, double n*m", double s[n], double A[n][m]) {
    for (int i = 0; i < n; i++) {
        double sum = s[i];
        for (int j = 0; j < m; j++) sum += A[i][j];
        s[i] = sum;
    }
}

KERNEL(sum_aliases_input, "double n*m", double A[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i][0] += A[i][j] * 0.5;
}

KERNEL(covariances, "double m*m, double n*m", double S[m][m], double X[n][m]) {
    for (int i = 0; i < m; i++)
        for (int j = i; j < m; j++) {
            S[i][j] = 0;
            for (int k = 0; k < n; k++) S[i][j] += X[k][i] * X[k][j];
            S[i][j] /= n - 1.0;
            S[j][i] = S[i][j];
        }
}

KERNEL(mirrored_products, "double m*m, double n*m", double S[m][m], double X[n][m]) {
    for (int i = 0; i < m; i++)
        for (int j = i + 1; j < m; j++) {
            S[i][j] = 0;
            for (int k = 0; k < n; k++) S[i][j] += X[k][i] * X[k][j];
            S[j][i] = S[i][j];
        }
}

KERNEL(triangle_times_matrix_in_place, "double n*n, double n*m", double A[n][n], double B[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            for (int k = i + 1; k < n; k++) B[i][j] += A[k][i] * B[k][j];
            B[i][j] = 1.5 * B[i][j];
        }
}

KERNEL(two_sums_together, "double n, double n, double n*m, double n*m, double m", double t[n], double y[n], double A[n][m], double B[n][m], double x[m]) {
    for (int i = 0; i < n; i++) {
        t[i] = 0;
        y[i] = 0;
        for (int j = 0; j < m; j++) {
            t[i] = A[i][j] * x[j] + t[i];
            y[i] = B[i][j] * x[j] + y[i];
        }
        y[i] = 1.5 * t[i] + 1.2 * y[i];
    }
}

KERNEL(gram_schmidt, "double n*m, double m*m, double n*m", double A[n][m], double R[m][m], double Q[n][m]) {
    for (int k = 0; k < m; k++) {
        double norm = 0;
        for (int i = 0; i < n; i++) norm += A[i][k] * A[i][k];
        R[k][k] = sqrt(norm);
        for (int i = 0; i < n; i++) Q[i][k] = A[i][k] / R[k][k];
        for (int j = k + 1; j < m; j++) {
            R[k][j] = 0;
            for (int i = 0; i < n; i++) R[k][j] += Q[i][k] * A[i][j];
            for (int i = 0; i < n; i++) A[i][j] = A[i][j] - Q[i][k] * R[k][j];
        }
    }
}

// What is stored is not the sum, though it was in the same register.
KERNEL(sum_but_the_last, "double m, double n*m", double s[m], double A[n][m]) {
    for (int j = 0; j < m; j++) {
        double sum = 0, before = 0;
        for (int i = 0; i < n; i++) {
            before = sum;
            sum += A[i][j];
        }
        s[j] = before;
    }
}

KERNEL(sum_in_some, "double m, double m, double n*m", double s[m], double x[m], double A[n][m]) {
    for (int j = 0; j < m; j++) {
        double sum = 0, result = 0;
        for (int i = 0; i < n; i++) sum += A[i][j];
        if (j > 5) {
            x[j] = 3;
            result = sum;
        }
        s[j] = result;
    }
}

KERNEL(added_in_some, "double m, double m, double n*m", double s[m], double x[m], double A[n][m]) {
    for (int j = 0; j < m; j++) {
        double start = s[j], sum = start;
        for (int i = 0; i < n; i++) sum += A[i][j];
        if (j > 5) {
            x[j] = 3;
            start = sum;
        }
        s[j] = start;
    }
}

// The sum is overwritten in the loop behind its own, before its value is used.
KERNEL(sum_overwritten_before_use, "double m, double m, double n*m", double s[m], double x[m], double A[n][m]) {
    for (int j = 0; j + 1 < m; j++) {
        s[j] = 0;
        for (int i = 0; i < n; i++) s[j] += A[i][j];
        double sum = s[j];
        for (int l = 0; l <= j; l++) s[l] = x[l];
        s[j + 1] = sum;
    }
}
