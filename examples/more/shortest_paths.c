// All shortest paths, with a condition instead of the least of two.
#include "../harness.h"

KERNEL shortest_paths(int n, int path[n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (path[i][k] + path[k][j] < path[i][j]) path[i][j] = path[i][k] + path[k][j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 500);
    size_t count = (size_t)n * n, bytes = count * sizeof(int);
    void *path = allocate(bytes);
    MEASURE(fill_ints(path, count, 1), shortest_paths(n, path));
    add_to_hash(path, bytes);
    return report();
}
