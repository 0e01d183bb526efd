// Products that are no operations with their sums. On Zen 4 a broadcast by itself keeps a unit of sums busy: each operation takes its number from memory. Other processors load it once for all vectors of a row, and so does Zen 4
// where registers have no such operations.
//
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver4 -ffp-contract=off -S %s -o %t.s
// RUN: %inner-loops %t.s | %FileCheck %s --check-prefix=ZEN4
// RUN: %inner-loops --show %t.s | %FileCheck %s --check-prefix=LOOP
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=skylake-avx512 -ffp-contract=off -S %s -o %t.s
// RUN: %inner-loops %t.s | %FileCheck %s --check-prefix=SKYLAKE
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver4 -mno-avx512f -ffp-contract=off -S %s -o %t.s
// RUN: %inner-loops %t.s | %FileCheck %s --check-prefix=AVX2

// ZEN4: dgemm: 24 vector multiply-adds (zmm), 3 vector loads, 24 broadcasts, {{[0-9]+}} instructions{{$}}
// LOOP: dgemm: 24 vector multiply-adds
// LOOP-NOT: vbroadcast
// LOOP: {1to8}
// LOOP-NOT: vbroadcast
// LOOP: dgemm:
// SKYLAKE: dgemm: 24 vector multiply-adds (zmm), 3 vector loads, 8 broadcasts
// AVX2: dgemm: {{[0-9]+}} vector multiply-adds (ymm), {{[23]}} vector loads, {{[4-6]}} broadcasts
void dgemm(int n, int m, int k, double C[restrict n][m], double A[restrict n][k], double B[restrict k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
}
