// Strips do not cut the columns of kernels, of which no tile would be whole; and few rows are no reason for many columns that are put together cell by cell.
// RUN: %loopwright-clang -O3 -march=znver4 -w -Rpass=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=strips --implicit-check-not=14x32

// CHECK: whole_columns.c:[[#@LINE+2]]:5: remark: {{.*}}register tile of
void means(int n, int r, const double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        int count = 0;
        for (int j = i - r; j <= i + r; j++)
            if (j >= 0 && j < n) {
                s += x[j];
                count++;
            }
        y[i] = s / count;
    }
}

// CHECK: whole_columns.c:{{[0-9]+}}:{{[0-9]+}}: remark: {{.*}}with blocks transposed
void gradient(int n, int b, int channels, float *restrict d, float *restrict x, float *restrict y) {
    for (int o = 0; o < 3; o++)
        for (int c = 0; c < channels; c++)
            for (int p = 0; p < 5; p++)
                for (int q = 0; q < 3; q++) {
                    float s = 0;
                    for (int i = 0; i < n; i++)
                        for (int j = 0; j < b; j++) {
                            int yy = i + 5 / 2 - p, xx = j + 3 / 2 - q;
                            if (!(!(xx < 0 || xx >= b) && yy >= 0 && yy < n)) continue;
                            s += x[c * n * b + yy * b + xx] * y[o * n * b + i * b + j];
                        }
                    d[(o * channels + c) * 15 + p * 3 + q] = s;
                }
}
