// -Rpass-analysis shows the loops that were made.
//
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force -Rpass-analysis=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s

// CHECK: analysis.c:[[@LINE+4]]:{{[0-9]+}}: remark: for (c0 = 0; c0 <= {{.*}}; c0 += 1) { // parallel
// CHECK: hold r0 = {{.*}} (load, store) {
// CHECK: [-Rpass-analysis=loopwright]
void row_sums(long n, double A[restrict n][n], double s[restrict n]) {
    for (long j = 0; j < n; j++)
        for (long i = 0; i < n; i++) s[i] += A[i][j];
}
