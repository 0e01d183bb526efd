// The plugin has its place in the pipelines from -O2 up, and none in those below or for size.
//
// RUN: %loopwright-clang -O0 -mllvm -loopwright-policy=force -S -emit-llvm %s -o - | %FileCheck --check-prefix=NO %s
// RUN: %loopwright-clang -O1 -mllvm -loopwright-policy=force -S -emit-llvm %s -o - | %FileCheck --check-prefix=NO %s
// RUN: %loopwright-clang -Os -mllvm -loopwright-policy=force -S -emit-llvm %s -o - | %FileCheck --check-prefix=NO %s
// RUN: %loopwright-clang -Oz -mllvm -loopwright-policy=force -S -emit-llvm %s -o - | %FileCheck --check-prefix=NO %s
// RUN: %loopwright-clang -O2 -mllvm -loopwright-policy=force -S -emit-llvm %s -o - | %FileCheck --check-prefix=YES %s
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force -S -emit-llvm %s -o - | %FileCheck --check-prefix=YES %s

// NO-NOT: loopwright.done
// YES: loopwright.done
void row_sums(long n, double A[restrict n][n], double s[restrict n]) {
    for (long j = 0; j < n; j++)
        for (long i = 0; i < n; i++) s[i] += A[i][j];
}
