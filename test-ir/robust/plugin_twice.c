// The plugin given twice, as build systems do: loaded twice, the second run finds its work done.
//
// RUN: %loopwright-clang -fpass-plugin=%plugin -O3 -mllvm -loopwright-policy=force -Rpass=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s

// CHECK: predicted
// CHECK-NOT: predicted
void row_sums(long n, double A[restrict n][n], double s[restrict n]) {
    for (long j = 0; j < n; j++)
        for (long i = 0; i < n; i++) s[i] += A[i][j];
}
