// Sweeps over every second point, products whose terms share factors by groups, and lanes whose cells are a few apart are found worth while.
//
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver5 -S -o %t.s -Rpass=loopwright -Rpass-missed=loopwright %s 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --input-file=%t.s --check-prefix=CODE
// REQUIRES: x86_64

// Three loads instead of four: the left neighbours are the right ones of one lane before. Lines are asked for ahead.
// CODE-LABEL: colours:
// CODE: prefetcht0
// CODE: vmovupd {{.*}}%zmm{{[0-9]+}} {%k{{[0-9]}}} {z}
// CODE: {{valignq|vpermt2pd}}
// CODE: vmovupd %zmm{{[0-9]+}}, {{.*}} {%k{{[0-9]}}}
// CODE-LABEL: by_conditions:
// CODE: {{valignq|vpermt2pd}}
// CODE-LABEL: out_of_place:

// CHECK: every_second.c:[[#@LINE+2]]:{{.*}}: remark: {{.*}}loops in 4 lanes;
void colours(int n, double A[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1 + i % 2; j < n - 1; j += 2)
            A[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
}

// CHECK: every_second.c:[[#@LINE+2]]:{{.*}}: remark: {{.*}}loops in 4 lanes, loops by remainders;
void by_conditions(int n, double A[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            if ((i + j) % 2 == 0) A[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
}

// LLVM has vectors under masks.
// CHECK: every_second.c:[[#@LINE+2]]:{{.*}}: remark: left the loops as they are
void out_of_place(int n, float raw[n][n], float g[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            if ((i + j) % 2 == 0) g[i][j] = raw[i][j];
            else g[i][j] = 0.25f * (raw[i - 1][j] + raw[i + 1][j] + raw[i][j - 1] + raw[i][j + 1]);
}

// CHECK: every_second.c:[[#@LINE+2]]:{{.*}}: remark: {{.*}}register tile {{[0-9x]+}};
void product(int n, double A[n][n], double B[n][n], double C[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k / 16][j];
}

// CHECK: every_second.c:[[#@LINE+2]]:{{.*}}: remark: {{.*}}rows abreast in lanes;
void rows_of_bytes(int n, float x[n], signed char W[n][n], float S[n][n / 32], float y[n]) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < n; k++) sum += x[k] * ((float)W[i][k] * S[i][k / 32]);
        y[i] = sum;
    }
}

// CHECK: every_second.c:[[#@LINE+2]]:{{.*}}: remark: {{.*}}blocks transposed in registers;
void rows_of_floats(int n, float x[n], float W[n][n], float S[n][n / 32], float y[n]) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < n; k++) sum += x[k] * (W[i][k] * S[i][k / 32]);
        y[i] = sum;
    }
}

// CHECK: every_second.c:[[#@LINE+2]]:{{.*}}: remark: {{.*}}lanes
void decimated(int n, int m, float *restrict y, float *restrict x, float *restrict h) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < m; j++) sum += h[j] * x[4 * i + j];
        y[i] = sum;
    }
}

// Every second cell is stored to, of neighbours.
// CHECK: every_second.c:[[#@LINE+2]]:{{.*}}: remark: {{.*}}loops in 4 lanes;
void spread(long h, long w, double (*restrict a)[2 * w], double (*restrict l)[w], double *restrict f) {
    for (long i = 0; i < h; i++)
        for (long j = 0; j < w; j++) a[i][2 * j] += l[i][j] * f[i];
}
