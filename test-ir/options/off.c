// Where nothing may be changed, the IR is what clang makes alone.
// RUN: %clang -O3 -S -emit-llvm %s -o %t.plain.ll
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=off -S -emit-llvm %s -o %t.ll
// RUN: diff %t.plain.ll %t.ll
// RUN: env LOOPWRIGHT_OPTIONS=policy=off %loopwright-clang -O3 -S -emit-llvm %s -o %t.ll
// RUN: diff %t.plain.ll %t.ll
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force -mllvm -loopwright-budget=10 -S -emit-llvm %s -o %t.ll
// RUN: diff %t.plain.ll %t.ll
// RUN: %clang -O3 -DATTRIBUTE="__attribute__((minsize))" -S -emit-llvm %s -o %t.plain.ll
// RUN: %loopwright-clang -O3 -DATTRIBUTE="__attribute__((minsize))" -mllvm -loopwright-policy=force -S -emit-llvm %s -o %t.ll
// RUN: diff %t.plain.ll %t.ll
// RUN: %clang -O3 -DATTRIBUTE="__attribute__((optnone,noinline))" -S -emit-llvm %s -o %t.plain.ll
// RUN: %loopwright-clang -O3 -DATTRIBUTE="__attribute__((optnone,noinline))" -mllvm -loopwright-policy=force -S -emit-llvm %s -o %t.ll
// RUN: diff %t.plain.ll %t.ll

#ifndef ATTRIBUTE
#define ATTRIBUTE
#endif
ATTRIBUTE void matmul(int n, double C[n][n], double A[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
}
