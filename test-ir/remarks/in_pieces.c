// Subscripts that are affine piece by piece are predicted to take what LLVM makes of them: divisions, or gathers. Nests for each piece; kernels inside of borders. Of short loops of constant length it leaves nothing to find.
// RUN: %loopwright-clang -O3 -march=znver4 -w -c -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.o 2>&1 | %FileCheck %s

static int clamped(int p, int n) { return p < 0 ? 0 : p > n - 1 ? n - 1 : p; }

// CHECK: in_pieces.c:[[#@LINE+2]]:5: remark: conditions on counters taken out of loops; predicted
void closed(int n, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int below = (i + 1) % n, above = (i - 1 + n) % n, right = (j + 1) % n, left = (j - 1 + n) % n;
            y[i * n + j] = x[below * n + j] + x[above * n + j] + x[i * n + right] + x[i * n + left] - 4 * x[i * n + j];
        }
}

// CHECK: in_pieces.c:[[#@LINE+2]]:5: remark: interchanged loops, distributed, register tile of {{.*}}; predicted
void circular(int n, const double *restrict x, const double *restrict h, double *restrict y) {
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < n; k++) s += h[k] * x[(i - k + n) % n];
        y[i] = s;
    }
}

// CHECK: in_pieces.c:[[#@LINE+2]]:5: remark: interchanged loops, distributed, register tile of 64; predicted
void clamped_window(int n, int m, int r, const float *restrict x, const float *restrict w, float *restrict y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int u = -r; u <= r; u++)
                for (int v = -r; v <= r; v++) s += w[(u + r) * (2 * r + 1) + v + r] * x[clamped(i + u, n) * m + clamped(j + v, m)];
            y[i * m + j] = s;
        }
}

// Borders have no kernels of their own: that took all the steps there are.
// CHECK: in_pieces.c:[[#@LINE+2]]:5: remark: interchanged loops, distributed, register tile of 64; predicted
void clamped_square(int n, int r, const float *restrict x, const float *restrict w, float *restrict y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int u = -r; u <= r; u++)
                for (int v = -r; v <= r; v++) s += w[(u + r) * (2 * r + 1) + v + r] * x[clamped(i + u, n) * n + clamped(j + v, n)];
            y[i * n + j] = s;
        }
}

// CHECK: in_pieces.c:[[#@LINE+2]]:5: remark: left the loops as they are
void short_rows(const unsigned char (*restrict x)[16], unsigned char (*restrict y)[16]) {
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) y[i][j] = x[(i - 1) & 15][j] - x[(i + 1) & 15][j] - x[i][(j + 14) & 15] - x[i][(j + 2) & 15];
}

// All of a wave's steps are one nest; each piece of them has loops of its own, which both nests share.
// CHECK: in_pieces.c:[[#@LINE+2]]:5: remark: fused 4 nests, distributed; predicted
void waves(int n, int steps, double c, double *restrict a, double *restrict b) {
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) b[i] = 2 * a[i] - b[i] + c * (a[(i + 1) % n] - 2 * a[i] + a[(i + n - 1) % n]);
        for (int i = 0; i < n; i++) {
            double s = a[i];
            a[i] = b[i];
            b[i] = s;
        }
    }
}
