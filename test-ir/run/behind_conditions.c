// Nests behind a condition on data in the loop around: taken by themselves where that loop stays as it is.
// RUN: %execute %s
#include "kernel.h"

// Householder's transformations. Columns of zeros are passed over.
KERNEL(householder, "double n*m, double n, noalias", double *restrict A, double *restrict v) {
    for (int k = 0; k < m && k < n; k++) {
        double norm = 0;
        for (int i = k; i < n; i++) norm += A[i * m + k] * A[i * m + k];
        if (norm == 0) continue;
        for (int i = k; i < n; i++) v[i] = A[i * m + k];
        v[k] += norm;
        for (int j = k; j < m; j++) {
            double s = 0;
            for (int i = k; i < n; i++) s += v[i] * A[i * m + j];
            for (int i = k; i < n; i++) A[i * m + j] -= s * v[i];
        }
    }
}

// Both ways have nests, and what is decided changes in them.
KERNEL(either_way, "float n*m, float m*n, float k", float *A, float *B, float *at) {
    for (int l = 0; l < k; l++) {
        if (at[l] > 0) {
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++) A[i * m + j] += B[j * n + i];
            at[l] = 1;
        } else {
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++) B[j * n + i] -= A[i * m + j];
            if (k > 1) at[0] += 1;
        }
    }
}

// One condition inside of the other, and one in the nest.
KERNEL(several, "double n*m, double m*n, double k", double *A, double *B, double *at) {
    for (int l = 0; l < k; l++) {
        if (at[l] == 3) continue;
        if (at[l] != 2) {
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++) A[i * m + j] = at[l] * B[j * n + i];
        }
        for (int i = 0; i < n; i++)
            if (A[i * m] > 0)
                for (int j = 0; j < m; j++) A[i * m + j] -= B[j * n + i];
    }
}

// A size that is read behind the condition, and a number that it decides.
KERNEL(sizes, "float n*n, float n*n, int k", float *A, float *B, int *at) {
    for (int l = 0; l < k; l++) {
        int end = at[l] & 63;
        if (end >= n) continue;
        float by = A[end] > 0 ? 2 : -1;
        for (int i = 0; i < end; i++)
            for (int j = 0; j < n; j++) A[i * n + j] += by * B[j * n + i];
    }
}
