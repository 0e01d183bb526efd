// Pass parameters win over the command line, the command line over the environment.
// RUN: %clang -O3 -S -emit-llvm %s -o %t.plain.ll
// RUN: env LOOPWRIGHT_OPTIONS=policy=force %loopwright-clang -O3 -mllvm -loopwright-policy=off -S -emit-llvm %s -o %t.ll
// RUN: diff %t.plain.ll %t.ll
// RUN: env LOOPWRIGHT_OPTIONS=policy=off %loopwright-clang -O3 -mllvm -loopwright-policy=force -S -emit-llvm %s -o %t.ll
// RUN: not diff %t.plain.ll %t.ll

void matmul(int n, double C[n][n], double A[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
}
