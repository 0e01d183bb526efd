// Windows of any size in a plane that is closed in both directions have nine pieces whose sums go on in one another: there are steps enough for their kernel.
// RUN: %loopwright-clang -O3 -march=znver4 -w -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=exhausted

// CHECK: closed_windows.c:[[#@LINE+2]]:5: remark: {{.*}}register tile
void closed(int n, int r, const float *restrict x, const float *restrict w, float *restrict y) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int u = -r; u <= r; u++) {
                for (int v = -r; v <= r; v++) {
                    int a = i + u, b = j + v;
                    if (a < 0) a += n;
                    if (a >= n) a -= n;
                    if (b < 0) b += n;
                    if (b >= n) b -= n;
                    s += w[(u + r) * (2 * r + 1) + v + r] * x[a * n + b];
                }
            }
            y[i * n + j] = s;
        }
    }
}
