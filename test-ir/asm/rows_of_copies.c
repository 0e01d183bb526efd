// Rows that are no whole vectors are copied cell by cell: LLVM would scatter vectors of them, which takes longer.
//
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=skylake-avx512 -S %s -o %t.s -Rpass=loopwright 2>&1 | %FileCheck --check-prefix=TILES %s
// RUN: %FileCheck --implicit-check-not=vscatter %s < %t.s
//
// TILES-DAG: register tile 10x32 with packed operands
// TILES-DAG: register tile 6x32 with packed operands
// CHECK: ten:
// CHECK: six:

void ten(long n, long k, float C[restrict 30][n], float A[restrict 30][k], float B[restrict n][k]) {
    for (long i = 0; i < 30; i++)
        for (long j = 0; j < n; j++)
            for (long l = 0; l < k; l++) C[i][j] += A[i][l] * B[j][l];
}

void six(long n, long k, double C[restrict 30][n], double A[restrict 30][k], double B[restrict n][k]) {
    for (long i = 0; i < 30; i++)
        for (long j = 0; j < n; j++)
            for (long l = 0; l < k; l++) C[i][j] += A[i][l] * B[j][l];
}
