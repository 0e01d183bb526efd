// The sum of the values of each of 32 classes.
#include "../harness.h"

KERNEL class_sums(int n, int classes, const double values[n], const int class[n], double sums[classes]) {
    for (int c = 0; c < classes; c++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            if (class[i] == c) sum += values[i];
        sums[c] = sum;
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 20000), classes = 32;
    void *values = allocate(n * sizeof(double)), *sums = allocate(classes * sizeof(double));
    int *class = allocate(n * sizeof(int));
    fill(values, n, 1);
    for (int i = 0; i < n; i++) class[i] = (int)((value_at(i, 2) - 0.5) * classes) % classes;
    MEASURE(fill(sums, classes, 3), class_sums(n, classes, values, class, sums));
    add_to_hash(sums, classes * sizeof(double));
    return report();
}
