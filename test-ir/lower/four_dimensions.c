// Arrays of so many symbolic sizes that their products leave 128 bits if nothing is known of them: factors are checked to be small first.
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force -Rpass=loopwright -Rpass-missed=loopwright -c %s -o /dev/null 2>&1 | %FileCheck %s
// RUN: %clang -O3 %s -o %t.plain
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force %s -o %t.force
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=kernels %s -o %t.kernels
// RUN: %t.plain > %t.expected
// RUN: %t.force | diff %t.expected -
// RUN: %t.kernels | diff %t.expected -

#include <stdio.h>
#include <stdlib.h>

// CHECK: four_dimensions.c:[[#@LINE+2]]:3: remark: {{.*}}run-time checks with the original loops
__attribute__((noinline)) static void contract(long n, double T[n][n][n][n], double A[n][n][n][n], double B[n][n][n][n]) {
  for (long a = 0; a < n; a++)
    for (long b = 0; b < n; b++)
      for (long c = 0; c < n; c++)
        for (long d = 0; d < n; d++)
          for (long e = 0; e < n; e++)
            for (long f = 0; f < n; f++)
              T[a][b][c][d] += A[a][e][b][f] * B[d][f][c][e];
}

int main() {
  for (long n = 0; n < 12; n++) {
    size_t count = n * n * n * n + 1;
    double *data = malloc(3 * count * sizeof(double)), sum = 0;
    for (size_t i = 0; i < 3 * count; i++)
      data[i] = (double)(i * 7 % 13) - 5;
    contract(n, (void *)data, (void *)(data + count), (void *)(data + 2 * count));
    for (size_t i = 0; i < count; i++)
      sum = sum * 0.5 + data[i];
    // The arrays meet: the source runs.
    contract(n, (void *)data, (void *)(data + count / 2), (void *)(data + 1));
    for (size_t i = 0; i < count; i++)
      sum = sum * 0.5 + data[i];
    printf("%ld %a\n", n, sum);
    free(data);
  }
}
