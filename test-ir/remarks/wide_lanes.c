// Registers wider than the vectors that LLVM prefers: lanes fill them, unless cells are transposed in them or divided one after the other.
// RUN: %loopwright-clang -O3 -march=emeraldrapids -Rpass=loopwright %s -c -o /dev/null 2>&1 | %FileCheck %s

// CHECK: wide_lanes.c:[[#@LINE+2]]:5: remark: {{.*}}loops in 2 vectors of 8 lanes
void class_sums(int n, const double values[restrict n], const int class[restrict n], double sums[restrict 32]) {
    for (int c = 0; c < 32; c++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            if (class[i] == c) sum += values[i];
        sums[c] = sum;
    }
}

// One unit shuffles whole registers, and they are divided by halves.
// CHECK: wide_lanes.c:[[#@LINE+2]]:5: remark: loops in 2 vectors of 4 lanes
void tridiagonal_rows(int n, double a[restrict n][n], double b[restrict n][n], double c[restrict n][n], double d[restrict n][n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 1; j < n; j++) {
            double w = a[i][j] / b[i][j - 1];
            b[i][j] -= w * c[i][j - 1];
            d[i][j] -= w * d[i][j - 1];
        }
        d[i][n - 1] /= b[i][n - 1];
        for (int j = n - 2; j >= 0; j--) d[i][j] = (d[i][j] - c[i][j] * d[i][j + 1]) / b[i][j];
    }
}

// CHECK: wide_lanes.c:[[#@LINE+2]]:5: remark: loops in 16 lanes, 6 rows abreast
void by_channels(int n, float out[restrict 32][n][n], float in[restrict 32][n + 2][n + 2], float w[restrict 32][3][3]) {
    for (int c = 0; c < 32; c++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                float s = 0;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++) s += in[c][y + p][x + q] * w[c][p][q];
                out[c][y][x] = s;
            }
}
