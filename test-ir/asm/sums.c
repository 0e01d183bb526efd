// The inner loops of sums along rows, as machine code: squares of the matrix are transposed in registers, nothing is gathered or spilt.
//
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=skylake-avx512 -S %s -o %t.s
// RUN: %inner-loops --show %t.s | %FileCheck %s --implicit-check-not='on the stack' --implicit-check-not=scalar --implicit-check-not=gather --check-prefix=AVX512
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=haswell -S %s -o %t.s
// RUN: %inner-loops --show %t.s | %FileCheck %s --implicit-check-not='on the stack' --implicit-check-not=scalar --implicit-check-not=gather --check-prefix=AVX2

// Two squares of 8 by 8.
// AVX512: gemv: 16 vector multiply-adds (zmm)
// AVX512-DAG: vinsertf64x4 $1, {{.*}}(
// AVX512-DAG: vshuff64x2
// AVX512-DAG: vunpcklpd
// AVX512-DAG: vunpckhpd

// Four squares of 4 by 4.
// AVX2: gemv: 16 vector multiply-adds (ymm)
// AVX2-DAG: vinsertf128 $1, {{.*}}(
// AVX2-DAG: vunpcklpd
// AVX2-DAG: vunpckhpd
void gemv(int n, int m, double y[restrict n], double A[restrict n][m], double x[restrict m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) y[i] += A[i][j] * x[j];
}
