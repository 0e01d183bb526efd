// Filters whose middle lies on the point (`m / 2`, computed inside of the region) and that end at the edges are kernels, in one and two dimensions.
// RUN: %loopwright-clang -target x86_64-linux-gnu -O3 -march=skylake-avx512 -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s

// CHECK: padded.c:[[#@LINE+2]]:5: remark: interchanged loops, distributed, register tile of
void line(int n, int m, float *restrict out, const float *restrict in, const float *restrict filter) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int u = 0; u < m; u++) {
            int y = i + u - m / 2;
            if (y >= 0 && y < n) sum += in[y] * filter[u];
        }
        out[i] = sum;
    }
}

// CHECK: padded.c:[[#@LINE+2]]:{{[0-9]+}}: remark: interchanged loops, distributed, register tile
void picture(int n, int m, float out[restrict n][n], float in[restrict n][n], float filter[restrict m][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int u = 0; u < m; u++)
                for (int v = 0; v < m; v++) {
                    int y = i + u - m / 2, x = j + v - m / 2;
                    if (y >= 0 && y < n && x >= 0 && x < n) sum += in[y][x] * filter[u][v];
                }
            out[i][j] = sum;
        }
}
