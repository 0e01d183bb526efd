// Masked loads and stores of bfloat, which LLVM cannot select on AArch64 with SVE.
// RUN: %loopwright-clang -O3 --target=aarch64-linux-gnu -mcpu=neoverse-v2 -w -mllvm -loopwright-policy=kernels -Rpass=loopwright -S %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: remark: {{.*}}register tile
void product(int n, __bf16 C[restrict n][n], __bf16 A[restrict n][n], __bf16 B[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
}
