// Results of two parts (`frexp`, `sincos`, `modf`) of what does not change: LLVM 22.1 makes vectors of such calls and dies of them, unless it has moved them out of the loop.
// RUN: %loopwright-clang -march=haswell -O3 -S %s -o %t.s
// RUN: %loopwright-clang -march=haswell -O3 -mllvm -loopwright-policy=force -S %s -o %t.s
// RUN: %loopwright-clang -march=haswell -O3 -mllvm -loopwright-policy=force -Rpass-missed=loopwright -S %s -o /dev/null 2>&1 | %FileCheck %s
// CHECK: cannot transform the loops: values of type { double, i32 } are not supported
enum { N = 4000 };
extern double A[N], B[N][N], C[N][N], D[N][N], E[N][N];

void parts(int n) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            int e;
            C[i][j] += __builtin_frexp(A[i], &e) * B[i][j] + D[i][j] * E[i][j];
        }
}
