// The inner loops of micro-kernels, as machine code: the tile stays in registers, all arithmetic is on vectors, and as many multiply-adds are under way as
// the processor needs to be busy. What it would do with them is what llvm-mca says, where LLVM's model of the processor has its units: two
// multiply-adds in every cycle on Skylake and Haswell, and what six instructions in a cycle allow on Neoverse V2.
//
// DEFINE: %{check} = %FileCheck %s --implicit-check-not='on the stack' --implicit-check-not=scalar --check-prefixes
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=skylake-avx512 -S %s -o %t.s
// RUN: %inner-loops --cpu skylake-avx512 %t.s | %{check}=AVX512,EIGHT,SKYLAKE
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver4 -S %s -o %t.s
// RUN: %inner-loops %t.s | %{check}=AVX512,FOURTEEN
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver5 -S %s -o %t.s
// RUN: %inner-loops %t.s | %{check}=AVX512,EIGHT
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=haswell -S %s -o %t.s
// RUN: %inner-loops --cpu haswell %t.s | %{check}=AVX2
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=x86-64-v2 -S %s -o %t.s
// RUN: %inner-loops %t.s | %{check}=SSE
// RUN: %loopwright-clang --target=aarch64-linux-gnu -O3 -mcpu=neoverse-v2 -S %s -o %t.s
// RUN: %inner-loops --target aarch64-linux-gnu --cpu neoverse-v2 %t.s | %{check}=NEON,V2
// RUN: %loopwright-clang --target=arm64-apple-macosx -O3 -mcpu=apple-m1 -S %s -o %t.s
// RUN: %inner-loops %t.s | %{check}=NEON

// 8 rows by 3 vectors, or 14 by 2, of 32 registers.
// AVX512: dgemm: 24 vector multiply-adds (zmm), 3 vector loads, 8 broadcasts
// SKYLAKE-SAME: 2.00 multiply-adds per cycle
// EIGHT: sgemm: 24 vector multiply-adds (zmm), 3 vector loads, 8 broadcasts
// SKYLAKE-SAME: 2.00 multiply-adds per cycle
// FOURTEEN: sgemm: 28 vector multiply-adds (zmm), 2 vector loads, 14 broadcasts

// 6 rows by 2 vectors, of 16 registers.
// AVX2: dgemm: 12 vector multiply-adds (ymm), 2 vector loads, 6 broadcasts, {{.*}}, 2.00 multiply-adds per cycle
// AVX2: sgemm: 12 vector multiply-adds (ymm), 2 vector loads, 6 broadcasts, {{.*}}, 2.00 multiply-adds per cycle

// 5 rows by 2 vectors: products need a register too.
// SSE: dgemm: 10 vector multiply-adds (xmm), 2 vector loads
// SSE: sgemm: 10 vector multiply-adds (xmm), 2 vector loads

// 6 rows by 4 vectors, loaded in pairs.
// NEON: dgemm: 24 vector multiply-adds (v), 2 vector loads
// V2-SAME: {{[0-9]+}} instructions, {{2\.[89][0-9]|[34]\.[0-9]+}} multiply-adds per cycle
// NEON: sgemm: 24 vector multiply-adds (v), 2 vector loads
// V2-SAME: {{[0-9]+}} instructions, {{2\.[89][0-9]|[34]\.[0-9]+}} multiply-adds per cycle

void dgemm(int n, int m, int k, double C[restrict n][m], double A[restrict n][k], double B[restrict k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
}

void sgemm(int n, int m, int k, float C[restrict n][m], float A[restrict n][k], float B[restrict k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
}
