// Of cells of which lanes have every third, as many are loaded at once as there are lanes: x86 takes masks of 24 bits apart one by one. At the end of the columns, which two sizes bound, lanes are off.
//
// RUN: %clang -O3 -march=znver4 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=channels %s -o /dev/null 2> %t.ll
// RUN: %loopwright-opt -passes=loopwright -S %t.ll | %FileCheck %s

// CHECK-LABEL: define {{.*}} @channels
// CHECK-NOT: <24 x i1>
// CHECK: call <8 x double> @llvm.masked.load{{.*}}(ptr align 8 [[FIRST:%[0-9]+]], <8 x i1> <i1 true, i1 false, i1 false, i1 true, i1 false, i1 false, i1 true, i1 false>
// CHECK-NOT: <24 x i1>
// CHECK: [[ON:%[0-9]+]] = and <8 x i1> <i1 true, i1 false, i1 false, i1 true, i1 false, i1 false, i1 true, i1 false>, %
// CHECK-NEXT: call <8 x double> @llvm.masked.load{{.*}}<8 x i1> [[ON]]
// CHECK-NOT: <24 x i1>
void channels(long w, long m, long n, double (*restrict out)[w], double (*restrict in)[m], double (*restrict f)[n]) {
    for (long o = 0; o < n; o++) {
        for (long j = 0; j < w; j++) {
            double s = 0;
            if (3 * j < m) for (long c = 0; c < n; c++) s += in[c][3 * j] * f[o][c];
            out[o][j] = s;
        }
    }
}
