// s = transpose(A) r and q = A p in one nest.
#include "../harness.h"

KERNEL bicg(int n, int m, double s[m], double q[n], double A[n][m], double p[m], double r[n]) {
    for (int j = 0; j < m; j++) s[j] = 0.0;
    for (int i = 0; i < n; i++) {
        q[i] = 0.0;
        for (int j = 0; j < m; j++) {
            s[j] = s[j] + r[i] * A[i][j];
            q[i] = q[i] + A[i][j] * p[j];
        }
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2500);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *A = allocate(matrix * sizeof(double));
    void *p = allocate(vector * sizeof(double));
    void *r = allocate(vector * sizeof(double));
    void *s = allocate(vector * sizeof(double));
    void *q = allocate(vector * sizeof(double));
    fill(A, matrix, 1);
    fill(p, vector, 2);
    fill(r, vector, 3);
    MEASURE((fill(s, vector, 4), fill(q, vector, 5)), bicg(n, n, s, q, A, p, r));
    add_to_hash(s, vector * sizeof(double));
    add_to_hash(q, vector * sizeof(double));
    return report();
}
