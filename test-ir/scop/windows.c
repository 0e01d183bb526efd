// Windows that overlap by a symbolic stride: what is only read may have several names for a cell, what is written may not.
// RUN: %clang --target=x86_64-linux-gnu -O3 -DREADS -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=reads -mllvm -print-module-scope 2> %t.reads.ll
// RUN: %clang --target=x86_64-linux-gnu -O3 -DWRITES -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=writes -mllvm -print-module-scope 2> %t.writes.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.reads.ll 2>&1 | %FileCheck %s --check-prefix=READS
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.writes.ll 2>&1 | %FileCheck %s --check-prefix=WRITES

// READS: function reads
// READS-NOT: check {{.*}}stride
// READS: array x[][stride {{.*}}] of double
// READS: fmuladd
#ifdef READS
void reads(long n, long m, long taps, long stride, long dilation, double y[restrict n], double *restrict x, double *restrict h) {
    for (long i = 0; i < n; i++)
        for (long p = 0; p < taps; p++) y[i] += h[p] * x[i * stride + p * dilation];
}
#endif

// WRITES: function writes
// WRITES: check {{.*}}stride
#ifdef WRITES
void writes(long n, long m, long taps, long stride, long dilation, double *restrict x, double *restrict h) {
    for (long i = 0; i < n; i++)
        for (long p = 0; p < taps; p++) x[i * stride + p * dilation] += h[p];
}
#endif
