// The inner loops of kernels whose operands are rows of the array that they store to: squares are transposed in registers, for all rows of the tile, on the diagonal, too, where there
// are masks; rows at its end run by fours.
//
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=skylake-avx512 -S %s -o %t.s
// RUN: %inner-loops --show %t.s | %FileCheck %s --implicit-check-not=scalar --check-prefix=AVX512
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=haswell -S %s -o %t.s
// RUN: %inner-loops --show %t.s | %FileCheck %s --implicit-check-not=scalar --implicit-check-not='on the stack' --check-prefix=AVX2

// Addresses of rows may be on the stack, no vectors.
// AVX512: cholesky: 96 vector multiply-adds (zmm), 8 vector loads, 96 broadcasts
// AVX512-NOT: mm{{.*}}sp)
// AVX512: cholesky: 32 vector multiply-adds (zmm), 8 vector loads, 32 broadcasts
// AVX512-NOT: mm{{.*}}sp)
// AVX512: cholesky: 96 vector multiply-adds (zmm), 8 vector loads, 96 broadcasts
// AVX512-NOT: mm{{.*}}sp)
// AVX512-DAG: vinsertf64x4 $1, {{.*}}(
// AVX512-DAG: vshuff64x2
// AVX512-DAG: vunpcklpd
// AVX512-DAG: vunpckhpd

// Put together cell by cell.
// AVX2: cholesky: 12 vector multiply-adds (ymm), 0 vector loads, 12 broadcasts
// AVX2: cholesky: 12 vector multiply-adds (ymm), 0 vector loads, 12 broadcasts
void cholesky(int n, double A[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
            if (j < i) A[i][j] /= A[j][j];
        }
}
