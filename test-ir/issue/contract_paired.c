// Two products whose factors are computed in front of the loop: LLVM gathers what it reads for both, makes one vector of the products in what its vectoriser leaves over, and their sums stay operations of
// their own. So it does where a division is in them.
// RUN: %clang -w -O3 -march=x86-64-v3 -ffp-contract=fast -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=VECTOR
// RUN: %loopwright-clang -w -O3 -march=x86-64-v3 -ffp-contract=fast -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -w -O3 -march=x86-64-v3 -mllvm -loopwright-policy=force -Rpass=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=FUSED

// VECTOR-LABEL: define {{.*}} @of_rank_two(
// VECTOR: fmul contract <2 x double>
// CHECK: contract_paired.c:[[#@LINE+4]]:3: remark: {{.*}}LLVM may make a vector of products, and leave their sums operations of their own
// Without the flag nothing is left to LLVM.
// FUSED: contract_paired.c:[[#@LINE+2]]:3: remark: {{.*}}predicted
void of_rank_two(int n, double alpha, const double *restrict x, const double *restrict y, double (*restrict a)[n]) {
  for (int j = 0; j < n; j++) {
    double t1 = alpha * y[j], t2 = alpha * x[j];
    for (int i = j; i < n; i++) a[j][i] = a[j][i] + x[i] * t1 + y[i] * t2;
  }
}

// VECTOR-LABEL: define {{.*}} @of_quotients(
// VECTOR: fdiv contract <2 x double>
// CHECK: contract_paired.c:[[#@LINE+3]]:3: remark: {{.*}}LLVM may make a vector of products, and leave their sums operations of their own
// FUSED: contract_paired.c:[[#@LINE+2]]:3: remark: {{.*}}predicted
void of_quotients(int n, int m, const double *restrict x, const double *restrict y, const double *restrict u, double (*restrict a)[n]) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++) a[j][i] = a[j][i] + (x[i] / u[j]) * x[j] + (y[i] / u[j]) * y[j];
}

// One of them is computed in front of the loop, and the other one is read: there is nothing to gain.
// CHECK-NOT: remark: {{.*}}LLVM may make
void one_and_one(int n, double alpha, const double *restrict x, const double *restrict y, double (*restrict a)[n]) {
  for (int j = 0; j < n; j++) {
    double t1 = alpha * y[j], t2 = x[j];
    for (int i = 0; i < n; i++) a[j][i] = a[j][i] + x[i] * t1 + y[i] * t2;
  }
}
