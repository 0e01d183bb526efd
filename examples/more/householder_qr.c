// QR factorisation by Householder's transformations. Columns that are zero already are passed over.
#include "../harness.h"

KERNEL householder_qr(int n, double *A, double *v) {
    for (int k = 0; k < n - 1; k++) {
        double norm = 0;
        for (int i = k; i < n; i++) norm += A[i * n + k] * A[i * n + k];
        norm = sqrt(norm);
        if (norm == 0) continue;
        double alpha = A[k * n + k] > 0 ? -norm : norm;
        for (int i = k; i < n; i++) v[i] = A[i * n + k];
        v[k] -= alpha;
        double vv = 0;
        for (int i = k; i < n; i++) vv += v[i] * v[i];
        for (int j = k; j < n; j++) {
            double s = 0;
            for (int i = k; i < n; i++) s += v[i] * A[i * n + j];
            s = 2 * s / vv;
            for (int i = k; i < n; i++) A[i * n + j] -= s * v[i];
        }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t cells = (size_t)n * n;
    double *A = allocate(cells * sizeof(double)), *v = allocate(n * sizeof(double));
    MEASURE(fill(A, cells, 1), householder_qr(n, A, v));
    add_to_hash(A, cells * sizeof(double));
    return report();
}
