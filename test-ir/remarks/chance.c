// Data decide how often a cell is added to: what is said to be less than twice as fast is no gain for certain.
// RUN: %loopwright-clang -O3 -march=znver5 -c %s -o %t.o -Rpass=loopwright -Rpass-missed=loopwright 2>&1 | %FileCheck %s

// CHECK: chance.c:[[#@LINE+2]]:{{.*}}left the loops as they are: the best form found is predicted to be only 1.{{[3-9]}}
void product(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double a = A[i][k];
            if (a <= 0) continue;
            for (int j = 0; j < n; j++) C[i][j] += a * B[k][j];
        }
}
