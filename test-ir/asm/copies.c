// Kernels on copies, as machine code: copies hold products with numbers that do not change, and of a sum over two loops the outer one stays outside. (What
// runs where sizes are too small for copies puts its vectors together from single cells.)
//
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=skylake-avx512 -S %s -o %t.s
// RUN: %inner-loops %t.s | %FileCheck %s
//
// CHECK-DAG: scaled: 24 vector multiply-adds (zmm), 3 vector loads, 8 broadcasts, {{3[0-9]}} instructions{{ *$}}
// CHECK-DAG: contraction: 24 vector multiply-adds (zmm), {{[34]}} vector loads, {{[68]}} broadcasts, {{[34][0-9]}} instructions{{ *$}}

void scaled(int n, int m, int k, double a, double C[restrict n][m], double A[restrict n][k], double B[restrict m][k]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += a * A[i][p] * B[j][p];
}

void contraction(int n, double T[restrict n][n][n][n], double A[restrict n][n][n][n], double B[restrict n][n][n][n]) {
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < n; c++)
                for (int d = 0; d < n; d++)
                    for (int e = 0; e < n; e++)
                        for (int f = 0; f < n; f++) T[a][b][c][d] += A[a][e][b][f] * B[d][f][c][e];
}
