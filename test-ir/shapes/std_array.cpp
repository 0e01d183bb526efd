// 34. Global std::array of std::array.
#include "shape.h"
#include <array>
static std::array<std::array<double, 64>, 64> C, A, B;
KERNEL kernel(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
}
static void run(int n, int) {
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++) C[i][j] = i - j, A[i][j] = i * 0.3 + j, B[i][j] = i - j * 0.7;
    kernel(n);
    fwrite(&C, sizeof C, 1, stdout);
}
