// The assignment step of k-means: the nearest of k centres for every point.
#include "../harness.h"

KERNEL nearest_centre(int n, int k, int d, int label[n], double distance[n], double point[n][d], double centre[k][d]) {
    for (int i = 0; i < n; i++) {
        label[i] = 0;
        distance[i] = HUGE_VAL;
        for (int c = 0; c < k; c++) {
            double sum = 0.0;
            for (int j = 0; j < d; j++) sum += (point[i][j] - centre[c][j]) * (point[i][j] - centre[c][j]);
            if (sum < distance[i]) {
                distance[i] = sum;
                label[i] = c;
            }
        }
    }
}

int main(int argc, char **argv) {
    enum { K = 32, D = 16 };
    int n = size_argument(argc, argv, 20000);
    size_t vector = (size_t)n;
    void *point = allocate(vector * D * sizeof(double));
    void *centre = allocate(K * D * sizeof(double));
    void *distance = allocate(vector * sizeof(double));
    void *label = allocate(vector * sizeof(int));
    fill(point, vector * D, 1);
    fill(centre, K * D, 2);
    MEASURE((fill(distance, vector, 3), fill_ints(label, vector, 4)), nearest_centre(n, K, D, label, distance, point, centre));
    add_to_hash(distance, vector * sizeof(double));
    add_to_hash(label, vector * sizeof(int));
    return report();
}
