// A kernel rather than lanes, which want long loops inside: the window may be small. And few centres are enough where lanes gain much: the source runs with less than three.
// RUN: %loopwright-clang -O3 -march=znver5 -fno-discard-value-names -S -emit-llvm %s -o %t.ll -Rpass=loopwright 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=LEAST --input-file=%t.ll

// CHECK: rather_kernels.c:[[#@LINE+2]]:{{.*}}register tile
void colours(int n, int m, float out[restrict n][n][3], float in[restrict n + m][n + m][3], float w[restrict m][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float red = 0, green = 0, blue = 0;
            for (int u = 0; u < m; u++)
                for (int v = 0; v < m; v++) {
                    red += in[i + u][j + v][0] * w[u][v];
                    green += in[i + u][j + v][1] * w[u][v];
                    blue += in[i + u][j + v][2] * w[u][v];
                }
            out[i][j][0] = red;
            out[i][j][1] = green;
            out[i][j][2] = blue;
        }
}

// CHECK: rather_kernels.c:[[#@LINE+4]]:{{.*}}loops in 16 lanes
// LEAST-LABEL: @nearest(
// LEAST: icmp sgt i32 %centres, 2
void nearest(int n, int centres, float (*restrict x)[16], float (*restrict c)[16], int *restrict label) {
    for (int i = 0; i < n; i++) {
        float best = 1e30f;
        int which = 0;
        for (int k = 0; k < centres; k++) {
            float d = 0;
            for (int j = 0; j < 16; j++) d += (x[i][j] - c[k][j]) * (x[i][j] - c[k][j]);
            if (d < best) best = d, which = k;
        }
        label[i] = which;
    }
}
