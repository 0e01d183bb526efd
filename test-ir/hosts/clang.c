// The plugin loads into clang at every level; at -O0 and -Os it changes nothing.
// RUN: %clang -O0 -S -emit-llvm %s -o %t.plain.ll
// RUN: %loopwright-clang -O0 -S -emit-llvm %s -o %t.ll
// RUN: diff %t.plain.ll %t.ll
// RUN: %clang -Os -S -emit-llvm %s -o %t.plain.ll
// RUN: %loopwright-clang -Os -S -emit-llvm %s -o %t.ll
// RUN: diff %t.plain.ll %t.ll
// RUN: %clang -Oz -S -emit-llvm %s -o %t.plain.ll
// RUN: %loopwright-clang -Oz -S -emit-llvm %s -o %t.ll
// RUN: diff %t.plain.ll %t.ll
// Who wants no vectors that are not in the source gets none.
// RUN: %clang --target=x86_64-linux-gnu -O3 -march=x86-64-v3 -mno-implicit-float -S -emit-llvm %s -o %t.plain.ll
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=x86-64-v3 -mno-implicit-float -S -emit-llvm %s -o %t.ll
// RUN: diff %t.plain.ll %t.ll
// RUN: %loopwright-clang -O2 -c %s -o %t.o
// RUN: %loopwright-clang -O3 -c %s -o %t.o
// RUN: %loopwright-clang -O3 -g -c %s -o %t.o

void matmul(int n, double C[n][n], double A[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
}
