// Where vectors fill a line, of three neighbours in a row one is loaded, the others are those of the iteration before: LLVM makes vectors of recurrences. What is left behind whole vectors hands nothing on, so that LLVM makes
// shorter vectors of it. Vectors of half a line gain nothing by it.
//
// RUN: %clang -O3 -march=znver4 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=smooth %s -o /dev/null 2> %t.ll
// RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %t.ll | %FileCheck %s
// RUN: %clang -O3 -march=znver4 -mprefer-vector-width=256 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=smooth %s -o /dev/null 2> %t.ll
// RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %t.ll | %FileCheck %s --check-prefix=HALF
// RUN: %loopwright-clang -O3 -march=znver4 -mllvm -loopwright-policy=force -S %s -o - | %FileCheck %s --check-prefix=CODE

// CHECK-LABEL: define {{.*}} @smooth
// CHECK: lw.loop:
// CHECK-NEXT: phi double
// CHECK-NEXT: phi double
// CHECK: load double
// CHECK-NOT: load
// CHECK: store double
// CHECK: br i1 {{.*}} label %lw.loop, !llvm.loop
// CHECK: and i64 %{{.*}}, -16
// CHECK: lw.loop[[REST:[0-9]+]]:
// CHECK-COUNT-3: load double
// CHECK: store double
// CHECK: br i1 {{.*}} label %lw.loop[[REST]], !llvm.loop
// CHECK: !{!"llvm.loop.interleave.count", i32 2}

// HALF-LABEL: define {{.*}} @smooth
// HALF: lw.loop:
// HALF-COUNT-3: load double
// HALF: store double
// HALF-NOT: lw.behind

// CODE-LABEL: smooth:
// CODE: vpermt2pd
// CODE: ret
void smooth(long n, double *restrict a, double *restrict b) {
    for (long i = 1; i < n - 1; i++) b[i] = a[i - 1] + a[i] * 2 + a[i + 1];
}
