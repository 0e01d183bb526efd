// Sums of a filter with borders, unrolled, that are stored as another type, and for two stores; to divide by a number is no division. Conditions are taken out of the loops.
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver4 -w -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s

// CHECK: border_bytes.c:[[#@LINE+2]]:5: remark: conditions on counters taken out of loops
void filter(int n, int m, unsigned char *restrict o, const unsigned char *restrict x, const float *restrict w) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float s = 0;
            for (int u = -1; u <= 1; u++)
                for (int v = -1; v <= 1; v++) {
                    if (i + u < 0 || i + u >= n || j + v < 0 || j + v >= m) continue;
                    s += x[(i + u) * m + j + v] * w[3 * u + v + 4];
                }
            o[i * m + j] = s < 0 ? 0 : s > 255 ? 255 : (unsigned char)s;
        }
}

// CHECK: border_bytes.c:[[#@LINE+2]]:5: remark: conditions on counters taken out of loops
void mean(int n, int m, unsigned char *restrict o, short *restrict p, const unsigned char *restrict x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int s = 0;
            for (int u = -1; u <= 1; u++)
                for (int v = -1; v <= 1; v++)
                    if (i + u >= 0 && i + u < n && j + v >= 0 && j + v < m) s += x[(i + u) * m + j + v];
            o[i * m + j] = s / 9;
            p[i * m + j] = s;
        }
}
