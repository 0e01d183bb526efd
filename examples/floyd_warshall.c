// All shortest paths.
#include "harness.h"

KERNEL floyd_warshall(int n, int path[n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t count = (size_t)n * n, bytes = count * sizeof(int);
    void *path = allocate(bytes);
    MEASURE(fill_ints(path, count, 1), floyd_warshall(n, path));
    add_to_hash(path, bytes);
    return report();
}
