// One head of attention in single precision: scaled scores, softmax of every row, weighted sums of values.
#include "../harness.h"

KERNEL attention(int n, int d, float scale, float out[n][d], float Q[n][d], float K[n][d], float V[n][d], float S[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            S[i][j] = 0.0f;
            for (int k = 0; k < d; k++) S[i][j] += Q[i][k] * K[j][k];
            S[i][j] *= scale;
        }
    for (int i = 0; i < n; i++) {
        float largest = S[i][0], sum = 0.0f;
        for (int j = 1; j < n; j++) largest = S[i][j] > largest ? S[i][j] : largest;
        for (int j = 0; j < n; j++) {
            S[i][j] = expf(S[i][j] - largest);
            sum += S[i][j];
        }
        for (int j = 0; j < n; j++) S[i][j] /= sum;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < d; k++) {
            out[i][k] = 0.0f;
            for (int j = 0; j < n; j++) out[i][k] += S[i][j] * V[j][k];
        }
}

int main(int argc, char **argv) {
    enum { D = 64 };
    int n = size_argument(argc, argv, 1024);
    size_t rows = (size_t)n * D, scores = (size_t)n * n;
    void *Q = allocate(rows * sizeof(float));
    void *K = allocate(rows * sizeof(float));
    void *V = allocate(rows * sizeof(float));
    void *S = allocate(scores * sizeof(float));
    void *out = allocate(rows * sizeof(float));
    fill_floats(Q, rows, 1);
    fill_floats(K, rows, 2);
    fill_floats(V, rows, 3);
    MEASURE((fill_floats(S, scores, 4), fill_floats(out, rows, 5)), attention(n, D, 0.125f, out, Q, K, V, S));
    add_to_hash(S, scores * sizeof(float));
    add_to_hash(out, rows * sizeof(float));
    return report();
}
