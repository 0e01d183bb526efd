// A cell that the next iteration begins with goes there in a register: of the nine sums of an iteration each row loads two cells and stores three.
//
// RUN: %clang -O3 -march=znver4 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=upsampled %s -o /dev/null 2> %t.ll
// RUN: %loopwright-opt -passes=loopwright -S %t.ll | %FileCheck %s

// CHECK-LABEL: define {{.*}} @upsampled
// CHECK: lw.loop{{.*}}:
// CHECK: lw.loop[[LOOP:[0-9]+]]:
// CHECK-COUNT-3: phi double
// CHECK-NEXT: phi i64
// The point, and two cells of each row.
// CHECK-COUNT-7: load double
// CHECK-NOT: load
// CHECK: br i1 {{.*}} label %lw.loop[[LOOP]]
void upsampled(long h, long w, double (*out)[2 * w + 2], double (*in)[w], double (*f)[3]) {
    for (long i = 0; i < h; i++) {
        for (long j = 0; j < w; j++) {
            for (long p = 0; p < 3; p++) {
                for (long q = 0; q < 3; q++) out[2 * i + p][2 * j + q] += in[i][j] * f[p][q];
            }
        }
    }
}
