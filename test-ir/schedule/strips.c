// Sweeps that a loop repeats run strip by strip of rows that move with time; three-dimensional ones brick by brick; orthogonalisation by strips of columns.
// RUN: %clang -O3 -march=sapphirerapids -c -fpass-plugin=%plugin -Rpass=loopwright -Rpass-missed=loopwright -Rpass-analysis=loopwright %s -o /dev/null 2>&1 | %FileCheck %s

// Rows are cut where four of them fill the first level.
// CHECK: strips.c:[[#@LINE+16]]:3: remark: if (3 <= arg1) {
// CHECK-NEXT: for (c0 = 0; c0 <= floord(2*arg0 + arg1 - 4, 32); c0 += 1) { // tile
// CHECK-NEXT: for (c1 = max(0, ceild(32*c0 - arg1 + 2, 2)); c1 <= min(16*c0 + 15, arg0 - 1); c1 += 1) {
// CHECK-NEXT: for (c2 = 0; c2 <= floord(arg1 - 3, 448); c2 += 1) { // tile, parallel
// CHECK-NEXT: if (448*c2 + 450 <= arg1) {
// CHECK-NEXT: for (c3 = max(32*c0 - 2*c1, 0); c3 <= min(arg1 - 3, 32*c0 - 2*c1 + 31); c3 += 1) { // parallel
// CHECK-NEXT: for (c4 = 448*c2; c4 <= 448*c2 + 447; c4 += 1) { // parallel
// CHECK-NEXT: S0:
// CHECK: for (c3 = max(32*c0 - 2*c1, 0); c3 <= min(arg1 - 3, 32*c0 - 2*c1 + 31); c3 += 1) { // parallel
// CHECK-NEXT: for (c4 = 448*c2; c4 <= arg1 - 3; c4 += 1) { // parallel
// CHECK-NEXT: S0:
// CHECK: for (c3 = max(32*c0 - 2*c1 - 1, 0); c3 <= min(arg1 - 3, 32*c0 - 2*c1 + 30); c3 += 1) { // parallel
// CHECK-NEXT: for (c4 = 448*c2; c4 <= 448*c2 + 447; c4 += 1) { // parallel
// CHECK-NEXT: S1:
// CHECK: remark: tiled 448, nests in strips of 32;
void sweeps(int steps, int n, double A[restrict n][n], double B[restrict n][n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) B[i][j] = A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) A[i][j] = B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j];
  }
}

// CHECK: remark: {{.*}}nests in strips of {{[0-9]+x[0-9]+}};
void bricks(int steps, int n, double A[restrict n][n][n], double B[restrict n][n][n]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          B[i][j][k] = A[i + 1][j][k] + A[i - 1][j][k] + A[i][j + 1][k] + A[i][j - 1][k] + A[i][j][k + 1] + A[i][j][k - 1] + A[i][j][k];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          A[i][j][k] = B[i + 1][j][k] + B[i - 1][j][k] + B[i][j + 1][k] + B[i][j - 1][k] + B[i][j][k + 1] + B[i][j][k - 1] + B[i][j][k];
  }
}

// CHECK: remark: {{.*}}nests in strips of {{[0-9]+}}
void columns(int n, double A[restrict n][n], double R[restrict n][n], double Q[restrict n][n]) {
  for (int k = 0; k < n; k++) {
    R[k][k] = 0;
    for (int i = 0; i < n; i++) R[k][k] += A[i][k] * A[i][k];
    for (int i = 0; i < n; i++) Q[i][k] = A[i][k] / R[k][k];
    for (int j = k + 1; j < n; j++) {
      R[k][j] = 0;
      for (int i = 0; i < n; i++) R[k][j] += Q[i][k] * A[i][j];
      for (int i = 0; i < n; i++) A[i][j] -= Q[i][k] * R[k][j];
    }
  }
}

// In place and down the rows as well as up: no row number fits.
// CHECK-NOT: nests in strips
void both_ways(int steps, int n, double A[n][n]) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) A[i][j] += A[n - 1 - i][j];
}
