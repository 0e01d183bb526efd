// The cheapest order of a chain of matrix products: dynamic programming over intervals, shortest first.
#include "../harness.h"

KERNEL matrix_chain(int n, double cost[n][n], double extent[n + 1]) {
    for (int i = 0; i < n; i++) cost[i][i] = 0.0;
    for (int length = 2; length <= n; length++)
        for (int i = 0; i <= n - length; i++) {
            int j = i + length - 1;
            cost[i][j] = HUGE_VAL;
            for (int k = i; k < j; k++) {
                double candidate = cost[i][k] + cost[k + 1][j] + extent[i] * extent[k + 1] * extent[j + 1];
                if (candidate < cost[i][j]) cost[i][j] = candidate;
            }
        }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 700);
    size_t vector = (size_t)n, matrix = vector * vector;
    void *extent = allocate((vector + 1) * sizeof(double));
    void *cost = allocate(matrix * sizeof(double));
    fill(extent, vector + 1, 1);
    MEASURE(fill(cost, matrix, 2), matrix_chain(n, cost, extent));
    add_to_hash(cost, matrix * sizeof(double));
    return report();
}
