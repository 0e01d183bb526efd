// A nest that is understood but gains nothing has a missed remark that says so.
//
// RUN: %loopwright-clang -O3 -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck --implicit-check-not=remark: %s
void scale(long n, double *restrict x) {
    // CHECK: left_alone.c:[[@LINE+1]]:{{[0-9]+}}: remark: left the loops as they are: {{[a-z].*}} [-Rpass-missed=loopwright]
    for (long i = 0; i < n; i++) x[i] *= 2.0;
}
