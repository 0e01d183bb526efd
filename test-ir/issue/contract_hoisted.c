// Products of neighbours that LLVM loads in front of the loops: with plain clang they are one vector in what its vectoriser leaves over, and their sums stay operations of their own.
// RUN: %clang -w -O3 -march=x86-64-v3 -ffp-contract=fast -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=VECTOR
// RUN: %loopwright-clang -w -O3 -march=x86-64-v3 -ffp-contract=fast -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -w -O3 -march=x86-64-v3 -mllvm -loopwright-policy=force -Rpass=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=FUSED

// VECTOR: fmul contract <2 x double>
// CHECK: LLVM may make a vector of products, and leave their sums operations of their own
// Without the flag nothing is left to LLVM.
// FUSED: predicted
void filtered(double (*restrict c)[48], double (*restrict a)[48], double *restrict w, int n, int m) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) {
      double x = c[i][j];
      for (int k = 0; k < 4; k++)
        x += w[k] * a[i + 2 * k][j];
      c[i][j] = x;
    }
}
