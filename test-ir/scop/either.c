// One of two conditions on counters holds: that is a row where one of them never does, `y == 0 || y > n` for `y = i + 1`, which LLVM makes of `y - 1 < 0 || y - 1 >= n`. It takes the first iteration out of the loop over `x`, so
// that several ways lead to what is behind it.
// RUN: %clang --target=x86_64-linux-gnu -O3 -march=znver4 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=f -mllvm -print-module-scope 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK: function f
// CHECK-NOT: refused
// CHECK: domain [channels, n] -> { [i0, i1, i2] : {{.*}}i0 >= 0 and i0 <= channels - 1 and i1 >= 1 and i1 <= n - 2 and i2 >= 0 and i2 <= n - 3 }
// CHECK-NEXT: write y[i0][i1][i2 + 1]
void f(int n, int channels, const float *x, const float *w, const float *b, float *y) {
    for (int c = 0; c < channels; c++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float s = b[c];
                for (int u = 0; u < 3; u++)
                    for (int v = 0; v < 3; v++) {
                        int yy = i + u - 1, xx = j + v - 1;
                        if (yy >= 0 && yy < n && xx >= 0 && xx < n) s += x[(c * n + yy) * n + xx] * w[(c * 3 + u) * 3 + v];
                    }
                y[(c * n + i) * n + j] = s;
            }
}
