// Tiles of rows that stay in the first level are asked for only where these fill it: with shorter ones the original loops run.
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver4 -S -emit-llvm -Rpass=loopwright %s -o %t.ll 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=LENGTH < %t.ll

// CHECK: remark: tiled 256; predicted
// LENGTH-LABEL: @products(
// LENGTH: icmp sgt i32 %{{.*}}, 1023
void products(int n, int m, double (*restrict a)[4], double (*restrict b)[m], double (*restrict c)[m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}
