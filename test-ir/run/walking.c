// Pointers and numbers that go on over several loops, and triangles that are packed by rows, growing and shrinking.
// RUN: %execute %s
#include "kernel.h"

KERNEL(transposed, "double n*m, double n*m", double *A, double *B) {
    for (int j = 0; j < m; j++) {
        const double *p = A + j;
        for (int i = 0; i < n; i++, p += m) *B++ = *p;
    }
}

KERNEL(three_loops, "float n*m*k, float n*m*k", float *A, float *B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < k; l++) *B++ += A[(l * m + j) * n + i];
}

// Rows of m + k cells, of which the last k are none of them.
KERNEL(padded, "float n*(m+k), float n*m, noalias", const float *restrict from, float *restrict to) {
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < m; x++) *to++ = *from++ * 0.5f;
        from += k;
    }
}

KERNEL(downwards, "double n*m, double n*m", double *A, double *B) {
    B += (size_t)n * m;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) *--B = A[j * n + i];
}

KERNEL(product, "float n*k, float k*m, float n*m", const float *A, const float *B, float *C) {
    for (int i = 0; i < n; i++, A += k)
        for (int j = 0; j < m; j++) {
            const float *a = A, *b = B + j;
            float sum = 0;
            for (int l = 0; l < k; l++, b += m) sum += *a++ * *b;
            *C++ = sum;
        }
}

KERNEL(number, "double n*m, double n*m", double *A, double *B) {
    int next = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) B[next++] = A[j * n + i];
}

// The bytes wrap around.
KERNEL(small_number, "double 256, double n*m", double *A, double *B) {
    uint8_t next = 250;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) *B++ = A[next++];
}

KERNEL(two_loops, "double m*n+k*n, double m*n+k*n", double *A, double *B) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) *B++ = A[j * n + i];
        for (int j = 0; j < k; j++) *B++ = 2 * A[(m + j) * n + i];
    }
}

// It goes on where the data say so.
KERNEL(gathered, "int n*m, int n*m", const int *A, int *B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (A[i * m + j] & 1) *B++ = A[i * m + j];
}

#define GRAM(NAME, TYPE, FIRST, LAST, CELLS)                                                     \
    KERNEL(NAME, #TYPE " (n+2)*k, " #TYPE " " CELLS, const TYPE *X, TYPE *G) {                       \
        for (int i = 0; i < n; i++)                                                              \
            for (int j = FIRST; j < LAST; j++) {                                                 \
                TYPE sum = 0;                                                                    \
                for (int l = 0; l < k; l++) sum += (X[i * k + l] - X[j * k + l]) * X[i * k + l]; \
                *G++ = sum;                                                                      \
            }                                                                                    \
    }
GRAM(lower, double, 0, i + 1, "n*(n+1)/2")
GRAM(lower_strict, float, 0, i, "n*(n-1)/2")
GRAM(upper, float, i, n, "n*(n+1)/2")
GRAM(upper_strict, double, i + 1, n, "n*(n-1)/2")
GRAM(band, double, i, i + 3, "3*n")
#undef GRAM

KERNEL(numbered, "double n*k, double n*(n-1)/2", const double *X, double *G) {
    int next = 0;
    for (int i = 0; i < n - 1; i++)
        for (int j = i + 1; j < n; j++) {
            double sum = 0;
            for (int l = 0; l < k; l++) sum += X[i * k + l] * X[j * k + l];
            G[next++] = sum;
        }
}

KERNEL(condensed, "float n*k, float n*(n-1)/2", const float *X, float *G) {
    for (long i = 0; i < n; i++)
        for (long j = i + 1; j < n; j++) {
            float sum = 0;
            for (long l = 0; l < k; l++) sum += X[i * k + l] * X[j * k + l];
            G[n * i + j - (i + 2) * (i + 1) / 2] = sum;
        }
}

KERNEL(columns, "double n*m, double n*(n+1)/2", const double *X, double *A) {
    for (int l = 0; l < m; l++)
        for (int j = 0; j < n; j++)
            for (int i = j; i < n; i++) A[i + j * (2 * n - j - 1) / 2] += X[l * n + i] * X[l * n + j];
}

KERNEL(times_vector, "double n*(n+1)/2, double n, double n", const double *A, const double *x, double *y) {
    for (int j = 0; j < n; j++) {
        y[j] += A[j + j * (2 * n - j - 1) / 2] * x[j];
        for (int i = j + 1; i < n; i++) {
            y[i] += A[i + j * (2 * n - j - 1) / 2] * x[j];
            y[j] += A[i + j * (2 * n - j - 1) / 2] * x[i];
        }
    }
}

KERNEL(cholesky, "double n*(n+1)/2", double *A) {
    for (int i = 0; i < n; i++) A[i * (i + 1) / 2 + i] += 4 * n + 4;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int l = 0; l < j; l++) A[i * (i + 1) / 2 + j] -= A[i * (i + 1) / 2 + l] * A[j * (j + 1) / 2 + l];
            A[i * (i + 1) / 2 + j] /= A[j * (j + 1) / 2 + j];
        }
        for (int l = 0; l < i; l++) A[i * (i + 1) / 2 + i] -= A[i * (i + 1) / 2 + l] * A[i * (i + 1) / 2 + l];
        A[i * (i + 1) / 2 + i] = sqrt(A[i * (i + 1) / 2 + i]);
    }
}

// Rows of a triangle, each with its neighbours.
KERNEL(neighbours, "double n*(n+1)/2, double n*(n+1)/2", const double *A, double *B) {
    for (int i = 1; i < n - 1; i++)
        for (int j = i + 1; j < n; j++)
            B[n * i - i * (i + 1) / 2 + j] += A[n * (i - 1) - (i - 1) * i / 2 + j] - A[n * i - i * (i + 1) / 2 + j - 1];
}

KERNEL(unpacked, "float n*(n+1)/2, float n*n", const float *P, float *A) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            float v = *P++;
            A[i * n + j] = v;
            A[j * n + i] = v;
        }
}

// The pointer takes one more step behind the loop inside.
KERNEL(solve, "double n*(n+1)/2, double n", const double *L, double *b) {
    for (int i = 0; i < n; i++) {
        double s = b[i];
        for (int j = 0; j < i; j++) s -= *L++ * b[j] * 0.125;
        b[i] = s / (*L++ * 0.25 + 4);
    }
}

KERNEL(symmetric, "double n*(n+1)/2, double n, double n", const double *P, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] += *P++ * x[i];
        for (int j = i + 1; j < n; j++) {
            double v = *P++;
            y[i] += v * x[j];
            y[j] += v * x[i];
        }
    }
}

KERNEL(from_below, "double n*(n+1)/2, double n, double n", const double *P, const double *x, double *y) {
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j < i; j++) y[j] += *P++ * x[i];
        y[i] -= *P++ * x[i];
    }
}

// Every other row; the number wraps around where the rows are counted by bytes.
KERNEL(by_bytes, "float n*m, float n*m", const float *A, float *B) {
    for (uint8_t i = 0; i < (uint8_t)n; i += 2)
        for (int j = 0; j < m; j++) *B++ = A[i * m + j];
}

// By a quotient of sizes.
KERNEL(thirds, "double n*m, double n*m", const double *A, double *B) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j += 3) *B++ = A[j * n + i];
}

KERNEL(rows_of_a_third, "float n*m, float n*m", const float *A, float *B) {
    for (size_t i = 0; i < (size_t)n; i++)
        for (size_t j = 0; j < (size_t)m / 3; j++) B[i * ((size_t)m / 3) + j] += A[j * (size_t)n + i];
}
