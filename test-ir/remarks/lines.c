// Each nest has its remark at the line of its loop: what was done, or the rule that refused it.
//
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck --implicit-check-not=remark: %s
void row_sums(long n, double A[restrict n][n], double s[restrict n]) {
    // CHECK: lines.c:[[@LINE+1]]:{{[0-9]+}}: remark: interchanged loops; predicted {{[0-9.]+}} times as fast; {{[0-9]+}} run-time checks with the original loops as the other branch [-Rpass=loopwright]
    for (long j = 0; j < n; j++)
        for (long i = 0; i < n; i++) s[i] += A[i][j];
}

void wait_for(volatile int *flag, long n, double *restrict x) {
    for (long i = 0; i < n; i++) {
        // CHECK: lines.c:[[@LINE+1]]:{{[0-9]+}}: remark: cannot transform the loops: the loop contains a volatile or atomic access [-Rpass-missed=loopwright]
        if (*flag) x[i] = 1.0;
    }
}

void scatter(long n, long *restrict index, double *restrict x) {
    // CHECK: lines.c:[[@LINE+1]]:{{[0-9]+}}: remark: cannot transform the loops: a subscript is not an affine function of the loops{{.*}} [-Rpass-missed=loopwright]
    for (long i = 0; i < n; i++) x[index[i]] = 1.0;
}
