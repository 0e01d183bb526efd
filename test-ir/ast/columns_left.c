// A few columns that are left, which may be all that there are: their cells are held over the whole window where no row of the tile is cut by the end of the picture.
// RUN: %clang --target=x86_64-linux-gnu -O3 -march=znver4 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=f -mllvm -print-module-scope 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK: function f
// CHECK: hold lanes 16, < m - 32*c{{[0-9]+}}: r{{[0-9]+}} = a[c{{[0-9]+}}][6*c{{[0-9]+}} + 5][32*c{{[0-9]+}} + lane] (load, store
void f(int n, int b, int m, float *restrict a, float *restrict x, float *restrict w, float *restrict bias) {
    for (int i = 0; i < n / 3; i++)
        for (int j = 0; j < b / 3; j++)
            for (int o = 0; o < m; o++) {
                float s = bias[o];
                for (int p = 0; p < 7; p++)
                    for (int q = 0; q < 3; q++) {
                        int yy = i * 3 + p * 2 - 3, xx = j * 3 + q * 2;
                        if (yy >= 0 && yy < n && xx >= 0 && xx < b)
                            for (int c = 0; c < 4; c++) s += x[(yy * b + xx) * 4 + c] * w[((p * 3 + q) * 4 + c) * m + o];
                    }
                a[(i * (b / 3) + j) * m + o] = s;
            }
}
