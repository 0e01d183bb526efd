// A sum that lives in no cell of the program gets memory of its own: asked for when all checks hold, given back behind the new loops; the source runs without it.
// RUN: %clang -O3 -march=x86-64-v4 -S -emit-llvm -fno-discard-value-names -fpass-plugin=%plugin -mllvm -loopwright-policy=kernels -Rpass=loopwright %s -o - 2>&1 | %FileCheck %s
// RUN: %clang -O3 -march=x86-64-v4 -fno-builtin -S -emit-llvm -fpass-plugin=%plugin -mllvm -loopwright-policy=kernels -Rpass-missed=loopwright %s -o - 2>&1 | %FileCheck %s --check-prefix=NONE
// More than 2^36 bytes are not asked for: no more than 2^36 + 63 of them, rounded up.

// CHECK: own.c:[[#@LINE+14]]:3: remark: {{.*}}run-time checks with the original loops
// CHECK-LABEL: define {{.*}}@products
// CHECK: icmp ult i128 {{.*}}, 1073741825
// CHECK: lw.own:
// CHECK: %[[MEMORY:.*]] = {{.*}}call {{.*}}@malloc(i64
// CHECK: %[[NULL:.*]] = icmp eq {{.*}}, {{null|0}}
// CHECK: br i1 %[[NULL]], label %[[FALLBACK:.*]], label
// CHECK: call void @free(ptr {{.*}}%[[MEMORY]])
// NONE: own.c:[[#@LINE+6]]:3: remark: {{.*}}must not call malloc
// NONE-LABEL: define {{.*}}@products
// NONE-NOT: @malloc
// NONE: ret void
void products(int n, double C[restrict n][n], double A[restrict n][n], double B[restrict n][n]) {
  // The product is stored through a function of it: no cell of C could hold the sum.
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0.0;
      for (int k = 0; k < n; k++) sum += A[i][k] * B[k][j];
      C[i][j] = C[i][j] * sum + C[i][j];
    }
}
