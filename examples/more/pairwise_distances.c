// Distances between all pairs of points.
#include "../harness.h"

KERNEL pairwise_distances(int n, int d, double distance[n][n], double point[n][d]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < d; k++) {
                double difference = point[i][k] - point[j][k];
                sum += difference * difference;
            }
            distance[i][j] = sqrt(sum);
        }
}

int main(int argc, char **argv) {
    enum { D = 64 };
    int n = size_argument(argc, argv, 1000);
    size_t points = (size_t)n * D, pairs = (size_t)n * n;
    void *point = allocate(points * sizeof(double));
    void *distance = allocate(pairs * sizeof(double));
    fill(point, points, 1);
    MEASURE(fill(distance, pairs, 2), pairwise_distances(n, D, distance, point));
    add_to_hash(distance, pairs * sizeof(double));
    return report();
}
