// Loops that are modelled as two, for remainders of their counters, are taken where they become kernels, or lanes with cells a few apart (measured on Zen 4: 100 to 20000 points 1.2 to 1.8 times as fast), which want masks; what the
// source takes otherwise is hard to say.
//
// RUN: %loopwright-clang -O3 -march=haswell -S -o /dev/null -Rpass=loopwright -Rpass-missed=loopwright %s 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=skylake-avx512 -S -o /dev/null -Rpass=loopwright -Rpass-missed=loopwright %s 2>&1 | %FileCheck %s --check-prefix=MASKS
// REQUIRES: x86_64

// CHECK: remainders.c:[[#@LINE+3]]:5: remark: left the loops as they are: the loops are already in the best form found
// MASKS: remainders.c:[[#@LINE+2]]:5: remark: interchanged loops, loops in 4 lanes; predicted
void twice(int n, float *restrict a, float *restrict b, float *restrict c, float *restrict d) {
    for (int i = 0; i < n; i++) a[i] = b[i] + c[i / 2] * d[i];
}
