// -Rpass-analysis says what the cost model thinks of every nest that was understood, whatever was done to it and why: under every policy, for nests that stay as they
// were, and for traversals that were asked for. Without it nothing is said.
//
// RUN: %loopwright-clang -O3 -Rpass-analysis=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=AUTO
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force -Rpass-analysis=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=FORCE
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=random -mllvm -loopwright-seed=1 -Rpass-analysis=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=ANY
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=kernels -Rpass-analysis=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=ANY
// RUN: %loopwright-clang -O3 -mllvm -loopwright-fuse=eager -Rpass-analysis=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=ANY
// RUN: %loopwright-clang -O3 -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=QUIET --implicit-check-not='predicted cycles'

// QUIET: remark:
void add(long n, double *restrict x, double *restrict y) {
    // AUTO: predicted.c:[[@LINE+3]]:{{[0-9]+}}: remark: predicted cycles: [[SAME:[0-9.]+e[0-9]+]] as in the source, [[SAME]] as chosen [-Rpass-analysis=loopwright]
    // FORCE: predicted.c:[[@LINE+2]]:{{[0-9]+}}: remark: predicted cycles: [[SAME:[0-9.]+e[0-9]+]] as in the source, [[SAME]] as chosen
    // ANY: predicted.c:[[@LINE+1]]:{{[0-9]+}}: remark: predicted cycles:
    for (long i = 0; i < n; i++) x[i] += y[i];
}

void row_sums(long n, double A[restrict n][n], double s[restrict n]) {
    // AUTO: predicted.c:[[@LINE+3]]:{{[0-9]+}}: remark: predicted cycles: {{[0-9.]+e[0-9]+}} as in the source, {{[0-9.]+e[0-9]+}} as chosen
    // FORCE: predicted.c:[[@LINE+2]]:{{[0-9]+}}: remark: predicted cycles: {{[0-9.]+e[0-9]+}} as in the source, {{[0-9.]+e[0-9]+}} as chosen
    // ANY: predicted.c:[[@LINE+1]]:{{[0-9]+}}: remark: predicted cycles:
    for (long j = 0; j < n; j++)
        for (long i = 0; i < n; i++) s[i] += A[i][j];
}
