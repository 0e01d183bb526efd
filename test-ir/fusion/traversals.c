// Every traversal of a factorisation and a solve, asked for by name or number, computes the same as the source.
//
// RUN: %clang -O3 -march=native -fno-math-errno %s -o %t.plain -lm
// RUN: %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -fno-math-errno -mllvm -loopwright-fuse=lazy -Rpass=loopwright %s -o %t.lazy -lm 2>&1 | %FileCheck %s --check-prefix=LAZY
// RUN: %t.lazy | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -fno-math-errno -mllvm -loopwright-fuse=eager -Rpass=loopwright %s -o %t.eager -lm 2>&1 | %FileCheck %s --check-prefix=EAGER
// RUN: %t.eager | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -fno-math-errno -mllvm -loopwright-fuse=1 %s -o %t.1 -lm
// RUN: %t.1 | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -fno-math-errno -mllvm -loopwright-fuse=2 %s -o %t.2 -lm
// RUN: %t.2 | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -fno-math-errno -mllvm -loopwright-fuse=3 %s -o %t.3 -lm
// RUN: %t.3 | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -fno-math-errno -mllvm -loopwright-fuse=4 %s -o %t.4 -lm
// RUN: %t.4 | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -fno-math-errno -mllvm -loopwright-fuse=5 %s -o %t.5 -lm
// RUN: %t.5 | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -fno-math-errno -mllvm -loopwright-fuse=6 %s -o %t.6 -lm
// RUN: %t.6 | diff %t.expected -
// RUN: %loopwright-clang -O3 -march=native -fno-math-errno -mllvm -loopwright-fuse=auto -Rpass=loopwright -Rpass-analysis=loopwright %s -o %t.auto -lm 2>&1 | %FileCheck %s --check-prefix=AUTO
// RUN: %t.auto | diff %t.expected -
// RUN: %loopwright-clang -O3 -fno-math-errno -mllvm -loopwright-fuse=report -mllvm -loopwright-policy=auto -Rpass-analysis=loopwright -c %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=REPORT

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// LAZY: traversals.c:[[#@LINE+11]]:{{.*}}traversal 0 of its nests: S0: i0; S1: i0 + i1 + 1; S2: i0 + i1 + 1; S3: i0; S4: i0 + i1 + 1
// EAGER: traversals.c:[[#@LINE+10]]:{{.*}}traversal 4 of its nests: S0: i0; S1: i0; S2: i0; S3: i0; S4: i0
// REPORT: traversals.c:[[#@LINE+9]]:{{.*}}nests 0..1 over arg1.0 arg1.1 arg2.0 forward: 5 traversals
// REPORT: nests 0..1 over arg1.0 arg1.1 arg2.0 backward: impossible
// REPORT-NEXT: S3{i0} must have run: all of it is ahead of the boundary
// REPORT-NEXT: then S4{i0 + i1 + 1}: output S4 -> S3 on arg2, as S4[0, 0] before S3[1] for arg0 = 2
// REPORT: but S3{} cannot have run: none of it is
// AUTO: traversals.c:[[#@LINE+4]]:{{.*}}nests 0..1 over arg1.0 arg1.1 arg2.0 forward: 5 traversals
// AUTO: taken: nests 0..1 over arg1.0 arg1.1 arg2.0 forward by traversal 4 of 5 (the eagerest)
// AUTO: remark: {{.*}}nests 0..1 over arg1.0 arg1.1 arg2.0 forward by traversal 4 of 5 (the eagerest); predicted
__attribute__((noinline)) static void cholesky_solve(int n, double A[restrict n][n], double b[restrict n]) {
  for (int k = 0; k < n; k++) {
    A[k][k] = sqrt(A[k][k]);
    for (int i = k + 1; i < n; i++)
      A[i][k] /= A[k][k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j <= i; j++)
        A[i][j] -= A[i][k] * A[j][k];
  }
  for (int j = 0; j < n; j++) {
    b[j] /= A[j][j];
    for (int i = j + 1; i < n; i++)
      b[i] -= A[i][j] * b[j];
  }
}

__attribute__((noinline)) static void lu_solve(int n, double A[restrict n][n], double b[restrict n]) {
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++)
      A[i][k] /= A[k][k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++)
        A[i][j] -= A[i][k] * A[k][j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      b[i] -= A[i][j] * b[j];
}

// Crout's and the bordered order have minima and maxima as steps: statements are split.
__attribute__((noinline)) static void lu(int n, double A[restrict n][n], double b[restrict n]) {
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++)
      A[i][k] /= A[k][k];
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++)
        A[i][j] -= A[i][k] * A[k][j];
  }
}

// Solves that go on with the solution turned round: the second needs first what the first computes last, so there are two runs.
// LAZY: traversals.c:[[#@LINE+6]]:{{.*}}traversal 0 and 0 of its nests: S0: {{.*}}; S4:
// EAGER: traversals.c:[[#@LINE+5]]:{{.*}}traversal 3 and 1 of its nests: S0: i0; S1: i0; S2: -i0 + arg0 - 1; S3: i0; S4: i0;
// REPORT: traversals.c:[[#@LINE+4]]:{{.*}}nests 0..2 over {{.*}} forward: impossible
// REPORT: nests 0..1 over {{.*}} forward: 4 traversals
// REPORT: nests 1..2 over {{.*}} forward: 2 traversals
__attribute__((noinline)) static void solve_twice(int n, double A[restrict n][n], double b[restrict n], double c[restrict n]) {
  for (int j = 0; j < n; j++) {
    b[j] /= A[j][j];
    for (int i = j + 1; i < n; i++)
      b[i] -= A[i][j] * b[j];
  }
  for (int i = 0; i < n; i++)
    c[i] = b[n - 1 - i];
  for (int j = 0; j < n; j++) {
    c[j] /= A[j][j];
    for (int i = j + 1; i < n; i++)
      c[i] -= A[i][j] * c[j];
  }
}

static void solve_again(int n, double A[n][n], double b[n]) {
  double *c = calloc(n + 1, sizeof(double));
  solve_twice(n, A, b, c);
  for (int i = 0; i < n; i++)
    b[i] += 3 * c[i];
  free(c);
}

static void run(const char *name, void (*f)(int, double[*][*], double[*]), int n) {
  double(*A)[n] = malloc(sizeof(double[n + 1][n + 1])), *b = malloc(sizeof(double[n + 1]));
  for (int i = 0; i < n; i++) {
    b[i] = 1.0 + i % 5;
    for (int j = 0; j < n; j++)
      A[i][j] = i == j ? n + 2 : 1.0 / (1 + (i * 7 + j * 3) % 11);
  }
  f(n, A, b);
  unsigned long hash = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      hash = hash * 31 + *(unsigned long *)&A[i][j];
    hash = hash * 31 + *(unsigned long *)&b[i];
  }
  printf("%s %d %lx\n", name, n, hash);
  free(A);
  free(b);
}

int main() {
  int sizes[] = {0, 1, 2, 3, 7, 8, 33, 100};
  for (int k = 0; k < 8; k++) {
    run("cholesky_solve", cholesky_solve, sizes[k]);
    run("lu_solve", lu_solve, sizes[k]);
    run("lu", lu, sizes[k]);
    run("solve_twice", solve_again, sizes[k]);
  }
}
