// Transposed convolutions have kernels, those with filters of constant size, too, whose loops LLVM unrolls; where the points are known to be too few for that they stay as they are.
// RUN: %loopwright-clang -O3 -march=znver5 -Rpass=loopwright -Rpass-missed=loopwright -S -o /dev/null %s 2>&1 | %FileCheck %s

// CHECK: bands.c:[[@LINE+2]]:5: remark: {{.*}}reversed loops, register tile
void polynomials(int n, int m, double *restrict out, const double *restrict x, const double *restrict y) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++) out[i + k] += x[i] * y[k];
}

// CHECK: bands.c:[[@LINE+2]]:5: remark: {{.*}}reversed loops, register tile
void filter(int n, int m, int w, double (*restrict out)[m + w], double (*restrict in)[m], double (*restrict f)[w]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < w; p++)
                for (int q = 0; q < w; q++) out[i + p][j + q] += in[i][j] * f[p][q];
}

// CHECK: bands.c:[[@LINE+2]]:5: remark: {{.*}}reversed loops, register tile
void constant_filter(int n, int m, double (*restrict out)[m + 8], double (*restrict in)[m], double (*restrict f)[9]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < 9; p++)
                for (int q = 0; q < 9; q++) out[i + p][j + q] += in[i][j] * f[p][q];
}

// CHECK: bands.c:[[@LINE+2]]:5: remark: left the loops as they are: the loops run too few iterations
void few_points(double (*restrict out)[49], double (*restrict in)[30], double (*restrict f)[20]) {
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 30; j++)
            for (int p = 0; p < 20; p++)
                for (int q = 0; q < 20; q++) out[i + p][j + q] += in[i][j] * f[p][q];
}
