// LLVM takes the last iteration out of a loop: its counter is a phi, of zero where there is no other one and of what the loop leaves. Both are `n - 1`.
// RUN: %clang --target=x86_64-linux-gnu -O3 -march=znver4 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=f -mllvm -print-module-scope 2> %t.ll
// RUN: grep -q 'peel.begin' %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK: function f
// CHECK-NOT: refused
// CHECK: write dw[
// CHECK-NOT: refused
void f(int n, int ci, int co, const float *x, const float *dy, float *dw) {
    for (int o = 0; o < co; o++)
        for (int c = 0; c < ci; c++)
            for (int u = 0; u < 3; u++)
                for (int v = 0; v < 3; v++) {
                    float s = 0;
                    for (int i = 0; i < n; i++)
                        for (int j = 0; j < n; j++) {
                            int yy = i + u - 1, xx = j + v - 1;
                            if (yy >= 0 && yy < n && xx >= 0 && xx < n) s += x[(c * n + yy) * n + xx] * dy[(o * n + i) * n + j];
                        }
                    dw[((o * ci + c) * 3 + u) * 3 + v] = s;
                }
}
