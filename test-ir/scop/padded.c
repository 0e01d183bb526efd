// Between zero and a size as numbers without sign: two rows, and with them products of rows and sizes are not negative.
//
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=f %s -o /dev/null 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK-LABEL: function f
// CHECK-NOT: check {{.*}} - 2*w >= 0
// CHECK: S1 at
// CHECK-NEXT: i0 + i2 >= 1
// CHECK: out[i0][i1] = (out[i0][i1] + 
void f(int h, int w, float *restrict out, const float *restrict in, const float *restrict f) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float s = 0.0f;
            for (int i = 0; i < 50; i++) {
                int yy = y + i - 1;
                if (yy >= 0 && yy < h) s += in[yy * w + x] * f[i];
            }
            out[y * w + x] = s;
        }
}
