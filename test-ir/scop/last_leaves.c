// What every iteration of a loop computes anew and is wanted behind it is copied in the last one.
//
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=f %s -o /dev/null 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK-LABEL: function f
// CHECK: S2 at [0, 2]
// CHECK-NEXT: T = i0 + 1 and
// CHECK-NEXT: write [[LAST:[a-z_]+]]{{$}}
// CHECK: S3 at
// CHECK: norm_0_lcssa = const
// CHECK: norm_0_lcssa = [[LAST]]
double f(long T, long n, double *restrict x) {
    double norm = 3.0;
    for (long t = 0; t < T; t++) {
        double sum = 1.0;
        for (long i = 0; i < n; i++) sum += x[i] * x[i];
        norm = __builtin_sqrt(sum);
        for (long i = 0; i < n; i++) x[i] /= norm;
    }
    return norm;
}
