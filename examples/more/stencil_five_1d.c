// Five-point iteration between two vectors, in single precision.
#include "../harness.h"

KERNEL stencil(int steps, int n, float A[n], float B[n]) {
    for (int t = 0; t < steps; t++) {
        for (int i = 2; i < n - 2; i++) B[i] = 0.1f * (A[i - 2] + A[i + 2]) + 0.2f * (A[i - 1] + A[i + 1]) + 0.4f * A[i];
        for (int i = 2; i < n - 2; i++) A[i] = 0.1f * (B[i - 2] + B[i + 2]) + 0.2f * (B[i - 1] + B[i + 1]) + 0.4f * B[i];
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 100000);
    size_t vector = (size_t)n;
    void *A = allocate(vector * sizeof(float));
    void *B = allocate(vector * sizeof(float));
    MEASURE((fill_floats(A, vector, 1), fill_floats(B, vector, 2)), stencil(200, n, A, B));
    add_to_hash(A, vector * sizeof(float));
    add_to_hash(B, vector * sizeof(float));
    return report();
}
