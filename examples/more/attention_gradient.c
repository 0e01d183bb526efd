// Gradients of queries, keys and values, which lie side by side in each row, from those of the scores: causal attention with several heads, in single precision, with flat indices.
#include "../harness.h"

KERNEL attention_gradient(int n, int c, int heads, float *d_qkv, float *d_scores, float *qkv, float *scores, float *d_out) {
    int size = c / heads;
    for (int t = 0; t < n; t++)
        for (int h = 0; h < heads; h++) {
            float *query = qkv + t * 3 * c + h * size, *d_query = d_qkv + t * 3 * c + h * size;
            float *row = scores + (h * n + t) * n, *d_row = d_scores + (h * n + t) * n;
            for (int u = 0; u <= t; u++) {
                float *value = qkv + u * 3 * c + h * size + 2 * c, *d_value = d_qkv + u * 3 * c + h * size + 2 * c;
                for (int i = 0; i < size; i++) {
                    d_row[u] += value[i] * d_out[t * c + h * size + i];
                    d_value[i] += row[u] * d_out[t * c + h * size + i];
                }
            }
            for (int u = 0; u <= t; u++) {
                float *key = qkv + u * 3 * c + h * size + c, *d_key = d_qkv + u * 3 * c + h * size + c;
                for (int i = 0; i < size; i++) {
                    d_query[i] += key[i] * d_row[u];
                    d_key[i] += query[i] * d_row[u];
                }
            }
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 256), c = 256, heads = 4;
    size_t rows = (size_t)n * 3 * c, square = (size_t)n * n * heads, outputs = (size_t)n * c;
    void *qkv = allocate(rows * sizeof(float)), *d_qkv = allocate(rows * sizeof(float));
    void *scores = allocate(square * sizeof(float)), *d_scores = allocate(square * sizeof(float));
    void *d_out = allocate(outputs * sizeof(float));
    fill_floats(qkv, rows, 1);
    fill_floats(scores, square, 2);
    fill_floats(d_out, outputs, 3);
    MEASURE((fill_floats(d_qkv, rows, 4), fill_floats(d_scores, square, 5)),
            attention_gradient(n, c, heads, d_qkv, d_scores, qkv, scores, d_out));
    add_to_hash(d_qkv, rows * sizeof(float));
    add_to_hash(d_scores, square * sizeof(float));
    return report();
}
