// Rows of constant length that LLVM unrolls: where it cannot run several iterations at once it makes vectors along the row itself, as fast as any of ours.
// RUN: %loopwright-clang -O3 -march=znver4 -w -c -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.o 2>&1 | %FileCheck %s
#define LOOP(i, n) for (int i = 0; i < n; i++)

// CHECK: packed.c:[[#@LINE+2]]:{{.*}}left the loops as they are
void column_sums(int n, double *restrict s, double (*restrict a)[12]) {
    LOOP(i, n) LOOP(j, 12) s[j] += a[i][j];
}

// As one loop its vectors would begin with parts of two that were just stored.
// CHECK: packed.c:[[#@LINE+2]]:{{.*}}left the loops as they are
void averages(int n, double (*restrict c)[10], double (*restrict a)[10]) {
    for (int i = 1; i < n; i++) LOOP(k, 10) c[i][k] = 0.9 * c[i - 1][k] + 0.1 * a[i][k];
}

// CHECK: packed.c:[[#@LINE+2]]:{{.*}}left the loops as they are
void gram_matrix(int n, double (*restrict s)[12], double (*restrict a)[12]) {
    LOOP(i, n) LOOP(j, 12) LOOP(k, 12) s[j][k] += a[i][j] * a[i][k];
}
