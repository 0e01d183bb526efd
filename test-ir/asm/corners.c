// Triangular systems with many right-hand sides: the tile stays in registers, and what is left of it where the division runs too has lanes along the right-hand sides, on short vectors
// as on long ones. Factorisations: in tiles below the diagonal the rows are lanes, where they are vectors.
//
// DEFINE: %{loops} = %inner-loops --show %t.s | %FileCheck %s --implicit-check-not=scalar --implicit-check-not='mm{{[0-9]+}}, {{[0-9]+}}(%rsp)' --check-prefix
// DEFINE: %{divisions} = %FileCheck %s --input-file=%t.s --check-prefix
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=skylake-avx512 -S %s -o %t.s
// RUN: %{loops}=AVX512
// RUN: %{divisions}=LONG
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=haswell -S %s -o %t.s
// RUN: %{loops}=AVX2
// RUN: %{divisions}=SHORT

// Sixteen unknowns of twelve systems, or eight of twenty-four. In the corner the twelve are three vectors of four lanes.
// AVX512: rows: 24 vector multiply-adds (zmm), 2 vector loads, 12 broadcasts
// AVX512: columns: 24 vector multiply-adds (zmm), 3 vector loads, 8 broadcasts
// AVX512: factors: 24 vector multiply-adds (zmm), 2 vector loads, 12 broadcasts
// LONG-LABEL: {{^}}rows:
// LONG-COUNT-3: vdivpd {{.*}}%ymm
// LONG-LABEL: {{^}}columns:
// LONG: vdivpd {{.*}}%zmm
// LONG-LABEL: {{^}}factors:
// LONG-COUNT-16: vdivpd {{.*}}%ymm

// Twelve unknowns of four systems, four of twelve: all sixteen registers, so that nothing else may be in one. Factors of three by twelve.
// AVX2: rows: 12 vector multiply-adds (ymm), 3 vector loads, 4 broadcasts
// AVX2: columns: 12 vector multiply-adds (ymm), 3 vector loads, 4 broadcasts
// AVX2: factors: 9 vector multiply-adds (ymm), 3 vector loads, 3 broadcasts
// SHORT-LABEL: {{^}}rows:
// SHORT: vdivpd {{.*}}%ymm
// SHORT-LABEL: {{^}}columns:
// SHORT: vdivpd {{.*}}%ymm

void rows(int m, int n, double X[restrict m][n], double U[restrict n][n]) {
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) {
            X[i][k] /= U[k][k];
            for (int j = k + 1; j < n; j++) X[i][j] -= X[i][k] * U[k][j];
        }
}

void columns(int m, int n, double X[restrict n][m], double U[restrict n][n]) {
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) {
            X[k][i] /= U[k][k];
            for (int j = k + 1; j < n; j++) X[j][i] -= X[k][i] * U[k][j];
        }
}

void factors(int n, double A[restrict n][n]) {
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            A[i][k] /= A[k][k];
            for (int j = k + 1; j < n; j++) A[i][j] -= A[i][k] * A[k][j];
        }
}
