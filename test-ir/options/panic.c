// An internal error in any stage leaves the IR as it was, and a remark says so.
// RUN: %clang -O3 -Rpass-missed=loopwright -S -emit-llvm %s -o %t.plain.ll
// RUN: %loopwright-clang -O3 -Rpass-missed=loopwright -mllvm -loopwright-panic=raise -S -emit-llvm %s -o %t.ll 2>&1 | %FileCheck %s
// RUN: diff %t.plain.ll %t.ll
// RUN: %loopwright-clang -O3 -Rpass-missed=loopwright -mllvm -loopwright-policy=force -mllvm -loopwright-panic=dependences -S -emit-llvm %s -o %t.ll 2>&1 | %FileCheck %s
// RUN: diff %t.plain.ll %t.ll
// RUN: %loopwright-clang -O3 -Rpass-missed=loopwright -mllvm -loopwright-policy=force -mllvm -loopwright-panic=schedule -S -emit-llvm %s -o %t.ll 2>&1 | %FileCheck %s
// RUN: diff %t.plain.ll %t.ll
// RUN: %loopwright-clang -O3 -Rpass-missed=loopwright -mllvm -loopwright-policy=force -mllvm -loopwright-panic=ast -S -emit-llvm %s -o %t.ll 2>&1 | %FileCheck %s
// RUN: diff %t.plain.ll %t.ll
// RUN: %loopwright-clang -O3 -Rpass-missed=loopwright -mllvm -loopwright-policy=force -mllvm -loopwright-panic=lower -S -emit-llvm %s -o %t.ll 2>&1 | %FileCheck %s
// RUN: diff %t.plain.ll %t.ll

// CHECK: remark: left the loops as they are: internal error of loopwright
void matmul(int n, double C[n][n], double A[n][n], double B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
}
