// A solve gets register tiles on every processor: the sign in `A - A * U` is no operation by itself, and memory that is near in the model does not make
// plain loops look as fast.
// DEFINE: %{cpu} =
// DEFINE: %{type} =
// DEFINE: %{check} = %loopwright-clang --target=x86_64-linux-gnu -O3 -march=x86-64-v4 -DTYPE=%{type} -c %s -o %t.o -Rpass=loopwright -mllvm -loopwright-cpu=%{cpu} 2>&1 | %FileCheck %s
// REDEFINE: %{type} = double
// REDEFINE: %{cpu} = x86-64-v3
// RUN: %{check}
// REDEFINE: %{cpu} = x86-64-v4
// RUN: %{check}
// REDEFINE: %{cpu} = haswell
// RUN: %{check}
// REDEFINE: %{cpu} = alderlake
// RUN: %{check}
// REDEFINE: %{cpu} = skylake-avx512
// RUN: %{check}
// REDEFINE: %{cpu} = sapphirerapids
// RUN: %{check}
// REDEFINE: %{cpu} = znver1
// RUN: %{check}
// REDEFINE: %{cpu} = znver2
// RUN: %{check}
// REDEFINE: %{cpu} = znver3
// RUN: %{check}
// REDEFINE: %{cpu} = znver4
// RUN: %{check}
// REDEFINE: %{cpu} = znver5
// RUN: %{check}
// REDEFINE: %{cpu} = neoverse-n1
// RUN: %{check}
// REDEFINE: %{cpu} = neoverse-v2
// RUN: %{check}
// REDEFINE: %{cpu} = apple-m1
// RUN: %{check}
// REDEFINE: %{cpu} = cortex-a76
// RUN: %{check}
// REDEFINE: %{type} = float
// REDEFINE: %{cpu} = x86-64-v3
// RUN: %{check}
// REDEFINE: %{cpu} = x86-64-v4
// RUN: %{check}
// REDEFINE: %{cpu} = haswell
// RUN: %{check}
// REDEFINE: %{cpu} = alderlake
// RUN: %{check}
// REDEFINE: %{cpu} = skylake-avx512
// RUN: %{check}
// REDEFINE: %{cpu} = sapphirerapids
// RUN: %{check}
// REDEFINE: %{cpu} = znver1
// RUN: %{check}
// REDEFINE: %{cpu} = znver2
// RUN: %{check}
// REDEFINE: %{cpu} = znver3
// RUN: %{check}
// REDEFINE: %{cpu} = znver4
// RUN: %{check}
// REDEFINE: %{cpu} = znver5
// RUN: %{check}
// REDEFINE: %{cpu} = neoverse-n1
// RUN: %{check}
// REDEFINE: %{cpu} = neoverse-v2
// RUN: %{check}
// REDEFINE: %{cpu} = apple-m1
// RUN: %{check}
// REDEFINE: %{cpu} = cortex-a76
// RUN: %{check}
// CHECK: register tile
void trisolve(int M, int N, TYPE A[M][N], TYPE B[M][N], TYPE U[N][N]) {
    for (int m = 0; m < M; m++) {
        for (int n = 0; n < N; n++) A[m][n] = B[m][n];
        for (int n = 0; n < N; n++) {
            A[m][n] /= U[n][n];
            for (int k = n + 1; k < N; k++) A[m][k] -= A[m][n] * U[n][k];
        }
    }
}
