// What is left of the columns at the end of the rows takes half a vector on processors that work on whole ones in two halves, where that is enough and the rows do not wait for
// their sums.
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver4 -c %s -o %t.o -Rpass-analysis=loopwright 2>&1 | %FileCheck --check-prefixes=CHECK,HALVES %s
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver5 -c %s -o %t.o -Rpass-analysis=loopwright 2>&1 | %FileCheck --check-prefixes=CHECK,WHOLE %s

// HALVES:     if ([[N:[a-z0-9]+]] - 24*[[C:c[0-9]+]] - 4 <= 0) {
// HALVES:       lanes 4, < [[N]] - 24*[[C]]: S0:
// HALVES:     } else {
// HALVES:       lanes 8, < [[N]] - 24*[[C]]: S0:
// WHOLE-NOT:  lanes 4,
// CHECK:      lanes 8, < {{[a-z0-9]+}} - {{[0-9]+}}*c{{[0-9]+}}: S0:
// WHOLE-NOT:  lanes 4,
void product(long n, double C[restrict n][n], const double A[restrict n][n], const double B[restrict n][n]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
}
