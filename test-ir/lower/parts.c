// Statements that are parts of one operation become one, whose loops are not cut; those that only look alike do not.
// RUN: %clang -O3 -march=x86-64-v4 -c -fpass-plugin=%plugin -mllvm -loopwright-policy=force -Rpass-analysis=loopwright %s -o /dev/null 2>&1 | %FileCheck %s

// CHECK: parts.c:[[#@LINE+4]]:3: remark: for (c0 = 0; c0 <= arg0 - 1; c0 += 1) { // parallel
// CHECK-NEXT: for (c1 = 0; c1 <= arg0 - 1; c1 += 1) { // parallel
// CHECK-NEXT: S0: arg1[c0][c1] = (arg2[c0][c1] + arg1[c0][c1]);
void halves(int n, double A[restrict n][n], double B[restrict n][n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) A[i][j] += B[i][j];
    for (int j = i; j < n; j++) A[i][j] += B[i][j];
  }
}

// CHECK: parts.c:[[#@LINE+4]]:3: remark: for
// CHECK: S{{.}}: arg1[c0]{{.*}} * const
// CHECK: S{{.}}: arg1[c0]{{.*}} * const
void constants(int n, double A[restrict n][n], double B[restrict n][n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) A[i][j] = B[i][j] * 2.0;
    for (int j = i; j < n; j++) A[i][j] = B[i][j] * 3.0;
  }
}

// CHECK: parts.c:[[#@LINE+4]]:3: remark: for
// CHECK: S0: arg1[
// CHECK: S1: arg1[
void gap(int n, double A[restrict n][n], double B[restrict n][n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) A[i][j] += B[i][j];
    for (int j = i + 1; j < n; j++) A[i][j] += B[i][j];
  }
}

// The diagonal is a part too, written in another way: three become one.
// CHECK: parts.c:[[#@LINE+4]]:3: remark: for (c0 = 0; c0 <= arg0 - 1; c0 += 1) { // parallel
// CHECK-NEXT: for (c1 = 0; c1 <= arg0 - 1; c1 += 1) { // parallel
// CHECK-NEXT: S0: arg1[c0][c1] = (arg2[c0][c1] + arg1[c0][c1]);
void three(int n, double A[restrict n][n], double B[restrict n][n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) A[i][j] += B[i][j];
    A[i][i] += B[i][i];
    for (int j = n - 1; j > i; j--) A[i][j] += B[i][j];
  }
}

// What the second part reads is written between the two.
// CHECK: parts.c:[[#@LINE+3]]:3: remark: for
// CHECK: S2: arg1[
void between(int n, double A[restrict n][n], double B[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) A[i][j] += B[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) B[i][j] = 2.0 * A[n - 1 - i][j];
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) A[i][j] += B[i][j];
}

// Values made of counters: of the same, and of others.
// CHECK: parts.c:[[#@LINE+4]]:3: remark: for (c0 = 0; c0 <= arg0 - 1; c0 += 1) { // parallel
// CHECK-NEXT: for (c1 = 0; c1 <= arg0 - 1; c1 += 1) { // parallel
// CHECK-NEXT: S0: arg1[c0][c1] =
void counters(long n, long A[restrict n][n]) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < i; j++) A[i][j] = i + 2 * j;
    for (long j = i; j < n; j++) A[i][j] = i + 2 * j;
  }
}

// CHECK: parts.c:[[#@LINE+4]]:3: remark: for
// CHECK: S0: arg1[
// CHECK: S1: arg1[
void other_counters(long n, long A[restrict n][n]) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < i; j++) A[i][j] = i + 2 * j;
    for (long j = i; j < n; j++) A[i][j] = j + 2 * i;
  }
}

// Flags are part of an operation.
// CHECK: parts.c:[[#@LINE+4]]:3: remark: for
// CHECK: S0: arg1[
// CHECK: S1: arg1[
void flags(int n, double A[restrict n][n], double B[restrict n][n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) A[i][j] += B[i][j];
    for (int j = i; j < n; j++) {
#pragma clang fp reassociate(on)
      A[i][j] += B[i][j];
    }
  }
}
