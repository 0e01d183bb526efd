// GVN gives the offset of row `j` behind the loop over `k` as a phi: what the loop computed, or 0 where `j` is 0 and it did not run. It is `j * n` in both cases.
//
// RUN: %loopwright-clang -O3 -fno-math-errno -mllvm -loopwright-policy=force -Rpass=loopwright -Rpass-missed=loopwright -c %s -o /dev/null 2>&1 | %FileCheck %s
// RUN: %clang -O3 -fno-math-errno %s -o %t.plain -lm
// RUN: %loopwright-clang -O3 -fno-math-errno -mllvm -loopwright-policy=force %s -o %t.force -lm
// RUN: %loopwright-clang -O3 -fno-math-errno -mllvm -loopwright-policy=kernels -march=x86-64-v3 %s -o %t.kernels -lm
// RUN: %clang -O3 -fno-math-errno -march=x86-64-v3 %s -o %t.plain3 -lm
// RUN: %t.plain > %t.expected
// RUN: %t.force | diff %t.expected -
// RUN: %t.plain3 > %t.expected3
// RUN: %t.kernels | diff %t.expected3 -

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// CHECK: joined_offset.c:[[#@LINE+2]]:{{.*}}remark: interchanged loops, fused
__attribute__((noinline)) static void cholesky(int n, double a[n][n]) {
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++)
      for (int i = j; i < n; i++)
        a[i][j] -= a[i][k] * a[j][k];
    a[j][j] = sqrt(a[j][j]);
    for (int i = j + 1; i < n; i++)
      a[i][j] /= a[j][j];
  }
}

int main() {
  int sizes[] = {0, 1, 2, 3, 7, 16, 33, 70, 130};
  for (int s = 0; s < 9; s++) {
    int n = sizes[s];
    double(*a)[n] = malloc(sizeof(double[n + 1][n + 1]));
    unsigned long hash = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[i][j] = i == j ? n + 1 : 1.0 / (1 + (i * 5 + j * 3) % 13);
    cholesky(n, a);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        hash = hash * 31 + *(unsigned long *)&a[i][j];
    printf("%d %lx\n", n, hash);
    free(a);
  }
}
