// What a pragma asks of a loop (not to vectorise it, to unroll it by three) would be lost with the loop: it is left alone. Its neighbour
// without a pragma is not.
//
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s

// CHECK: pragma.c:{{1[0-3]}}:{{[0-9]+}}: remark: cannot transform the loops: the source forbids transforming this loop
// CHECK: pragma.c:{{1[5-8]}}:{{[0-9]+}}: remark: cannot transform the loops: the source forbids transforming this loop
// CHECK: pragma.c:{{2[01]}}:{{[0-9]+}}: remark: {{.*}}predicted
void not_vectorised(long n, double A[restrict n][n], double s[restrict n]) {
    for (long j = 0; j < n; j++)
#pragma clang loop vectorize(disable)
        for (long i = 0; i < n; i++) s[i] += A[i][j];
}
void unrolled(long n, double A[restrict n][n], double s[restrict n]) {
    for (long j = 0; j < n; j++)
#pragma clang loop unroll_count(3)
        for (long i = 0; i < n; i++) s[i] += A[i][j];
}
void free_to_change(long n, double A[restrict n][n], double s[restrict n]) {
    for (long j = 0; j < n; j++)
        for (long i = 0; i < n; i++) s[i] += A[i][j];
}
