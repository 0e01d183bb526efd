// What was only written is read in between by new code: the function no longer says that it is not.
//
// RUN: %clang -w -O3 -march=x86-64-v3 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=PLAIN
// RUN: %loopwright-clang -w -O3 -march=x86-64-v3 -mllvm -loopwright-policy=kernels -S -emit-llvm %s -o - | %FileCheck %s

// PLAIN: define {{.*}}@product(ptr {{.*}}writeonly
// CHECK-NOT: writeonly
// CHECK: define {{.*}}@product(
// CHECK-NOT: argmem: write
double A[32][32], B[32][32];
void product(double (*restrict c)[32]) {
  for (int i = 0; i < 32; i++)
    for (int j = 0; j < 32; j++) {
      double x = 0;
      for (int k = 0; k < 8; k++)
        x += A[i][k] * B[k][j];
      c[i][j] = x;
    }
}
