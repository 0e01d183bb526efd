// What is said of nests under conditions that factors are other than zero, and where they are left: what is asked may have changed by then, or each answer counts for one iteration.
// RUN: %loopwright-clang -O3 -march=znver4 -w -c -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=znver4 -w -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=LOOK

// All that is asked is looked at in vectors.
// LOOK-LABEL: define {{.*}} @product(
// LOOK: fcmp {{.*}}<8 x double> %{{.*}}, zeroinitializer
// CHECK: factors.c:[[#@LINE+2]]:3: remark: {{.*}}register tile {{.*}}, factors that have to be other than zero; predicted {{.*}} run-time checks with the original loops as the other branch
void product(int n, double (*restrict c)[n], double (*restrict a)[n], double (*restrict b)[n]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      if (a[i][k] != 0)
        for (int j = 0; j < n; j++) c[i][j] += a[i][k] * b[k][j];
}

// What one step computes the next asks for.
// CHECK-NOT: factors.c:{{.*}}: remark: {{.*}}factors
// CHECK: factors.c:[[#@LINE+2]]:3: remark:
void solve(int n, double (*restrict b)[n], double (*restrict a)[n]) {
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      if (b[j][k] != 0)
        for (int i = k + 1; i < n; i++) b[j][i] -= b[j][k] * a[k][i];
}

// CHECK: factors.c:[[#@LINE+2]]:3: remark:
void each(int n, double *restrict c, double (*restrict a)[n], double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      if (a[i][k] != 0) c[i] += a[i][k] * b[k];
}

// Other questions are answered by numbers of all kinds.
// CHECK: factors.c:[[#@LINE+2]]:3: remark:
void above(int n, double (*restrict c)[n], double (*restrict a)[n], double (*restrict b)[n]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      if (a[i][k] > 0)
        for (int j = 0; j < n; j++) c[i][j] += a[i][k] * b[k][j];
}
