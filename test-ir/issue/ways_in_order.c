// Ways that lead to one block were put together in the order of their addresses, which differs from run to run, and with it what was understood of the loops: so did the code.
// RUN: bash -c 'for run in 1 2 3 4 5 6 7 8; do %loopwright-clang -O3 -S -emit-llvm -o %t.$run.ll %s && cmp %t.1.ll %t.$run.ll || exit 1; done'
void three(int n, int m, int k, int D[n][m], int B[k][m], int A[k][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) D[i][j] = 7;
    for (int p = 0; p < k; p++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) D[i][j] += (unsigned)A[p][i] * B[p][j];
    for (int p = k - 1; p >= 0; p--)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) D[i][j] += (unsigned)A[p][i] * B[p][m - 1 - j];
}
