// Strips are slower than the source where all is in the caches; but there the source runs, and that it is no slower than others would be is all that is asked.
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver4 -S -emit-llvm -Rpass=loopwright %s -o %t.ll 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=LENGTH < %t.ll

// CHECK: strips_above_caches.c:[[#@LINE+4]]:5: remark: nests in strips of {{[0-9]+}}; predicted
// LENGTH-LABEL: @waves(
// LENGTH: icmp sgt i32 %{{.*}}, {{[0-9][0-9][0-9]}}
void waves(int steps, int n, double ex[n][n], double ey[n][n], double hz[n][n], double source[steps]) {
    for (int t = 0; t < steps; t++) {
        for (int j = 0; j < n; j++) ey[0][j] = source[t];
        for (int i = 1; i < n; i++)
            for (int j = 0; j < n; j++) ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
        for (int i = 0; i < n; i++)
            for (int j = 1; j < n; j++) ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < n - 1; j++) hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}
