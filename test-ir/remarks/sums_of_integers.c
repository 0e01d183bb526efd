// LLVM makes vectors of sums of integers: a product of a matrix and a vector is left to it, one of matrices is not.
// RUN: %loopwright-clang -O3 -march=znver5 -c %s -o %t.o -Rpass=loopwright -Rpass-missed=loopwright 2>&1 | %FileCheck %s

// CHECK: sums_of_integers.c:[[#@LINE+2]]:{{.*}}left the loops as they are: the loops are already in the best form found
void shorts(int n, int m, short A[restrict n][m], short x[restrict m], int y[restrict n]) {
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int k = 0; k < m; k++) sum += A[i][k] * x[k];
        y[i] = sum;
    }
}

// CHECK: sums_of_integers.c:[[#@LINE+2]]:{{.*}}register tile
void products(int n, int m, int l, short A[restrict n][l], short B[restrict m][l], int C[restrict n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++) C[i][j] += A[i][k] * B[j][k];
}
