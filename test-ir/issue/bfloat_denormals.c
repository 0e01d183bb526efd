// LLVM 22 rounds to bfloat by an instruction that knows no denormals where it takes the value to another block and there into a vector: no blocks of ours for them.
// RUN: %loopwright-clang -w -O3 -march=znver4 -mllvm -loopwright-policy=kernels -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -w -O3 -march=x86-64-v4 -mllvm -loopwright-policy=kernels -Rpass=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=EXACT

// CHECK-NOT: predicted
// CHECK: LLVM may lose denormal values of bfloat on their way from one block to another
// CHECK-NOT: predicted
// EXACT: predicted
void scaled(__bf16 (*restrict c)[48], __bf16 (*restrict a)[48], __bf16 (*restrict b)[48], __bf16 *restrict d, int n, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      float x = 0;
      for (int k = 0; k < 4; k++)
        x = x + a[i][k] * b[k][j] * d[i];
      c[i][j] = x;
    }
}
