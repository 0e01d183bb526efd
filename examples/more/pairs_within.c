// Forces between charges that are near each other.
#include "../harness.h"

KERNEL pairs_within(int n, float radius, const float x[n], const float y[n], const float charge[n], float fx[n], float fy[n]) {
    for (int i = 0; i < n; i++) {
        float ax = 0, ay = 0;
        for (int j = 0; j < n; j++) {
            float dx = x[i] - x[j], dy = y[i] - y[j], r2 = dx * dx + dy * dy;
            if (r2 < radius) {
                ax += charge[j] * dx * r2;
                ay += charge[j] * dy * r2;
            }
        }
        fx[i] = ax;
        fy[i] = ay;
    }
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2000);
    size_t bytes = n * sizeof(float);
    void *x = allocate(bytes), *y = allocate(bytes), *charge = allocate(bytes), *fx = allocate(bytes), *fy = allocate(bytes);
    fill_floats(x, n, 1);
    fill_floats(y, n, 2);
    fill_floats(charge, n, 3);
    MEASURE((fill_floats(fx, n, 4), fill_floats(fy, n, 5)), pairs_within(n, 0.1f, x, y, charge, fx, fy));
    add_to_hash(fx, bytes);
    add_to_hash(fy, bytes);
    return report();
}
