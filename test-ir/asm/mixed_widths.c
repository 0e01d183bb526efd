// Products of narrow operands with wide sums: what widens them is in the copies, so that the kernel is that of wide operands.
//
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver5 -S %s -o %t.s
// RUN: %inner-loops %t.s | %FileCheck %s --implicit-check-not='on the stack' --implicit-check-not=scalar --check-prefix=AVX512
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=haswell -S %s -o %t.s
// RUN: %inner-loops %t.s | %FileCheck %s --implicit-check-not='on the stack' --implicit-check-not=scalar --check-prefix=AVX2
// RUN: %loopwright-clang --target=aarch64-linux-gnu -O3 -mcpu=neoverse-v2 -S %s -o %t.s
// RUN: %inner-loops --target aarch64-linux-gnu %t.s | %FileCheck %s --implicit-check-not='on the stack' --implicit-check-not=scalar --check-prefix=NEON

// AVX512: floats: 24 vector multiply-adds (zmm), 3 vector loads, 8 broadcasts, 39 instructions
// AVX2: floats: 12 vector multiply-adds (ymm), 2 vector loads, 6 broadcasts, 24 instructions
// NEON: floats: 24 vector multiply-adds (v), 2 vector loads
void floats(int n, int m, int k, double C[restrict n][m], float A[restrict n][k], float B[restrict k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += (double)A[i][p] * B[p][j];
}
