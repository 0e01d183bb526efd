// Squared distances of points to centres, as k-means has them before it takes the least.
#include "../harness.h"

KERNEL centre_distances(int n, int k, int d, double distance[n][k], double point[n][d], double centre[k][d]) {
    for (int i = 0; i < n; i++)
        for (int c = 0; c < k; c++) {
            distance[i][c] = 0.0;
            for (int j = 0; j < d; j++) {
                double difference = point[i][j] - centre[c][j];
                distance[i][c] += difference * difference;
            }
        }
}

int main(int argc, char **argv) {
    enum { K = 64, D = 32 };
    int n = size_argument(argc, argv, 20000);
    size_t vector = (size_t)n;
    void *point = allocate(vector * D * sizeof(double));
    void *centre = allocate(K * D * sizeof(double));
    void *distance = allocate(vector * K * sizeof(double));
    fill(point, vector * D, 1);
    fill(centre, K * D, 2);
    MEASURE(fill(distance, vector * K, 3), centre_distances(n, K, D, distance, point, centre));
    add_to_hash(distance, vector * K * sizeof(double));
    return report();
}
