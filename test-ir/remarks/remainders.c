// Loops that are modelled as two, for remainders of their counters, are taken where they become kernels; what the source takes otherwise is hard to say.
//
// RUN: %loopwright-clang -O3 -march=skylake-avx512 -S -o /dev/null -Rpass=loopwright -Rpass-missed=loopwright %s 2>&1 | %FileCheck %s
// REQUIRES: x86_64

// CHECK: remainders.c:[[#@LINE+2]]:5: remark: left the loops as they are: the loops are already in the best form found
void twice(int n, float *restrict a, float *restrict b, float *restrict c, float *restrict d) {
    for (int i = 0; i < n; i++) a[i] = b[i] + c[i / 2] * d[i];
}
