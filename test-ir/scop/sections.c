// Rows of queries, keys and values side by side: each section is as long as a parameter says, which of them is a number in the source. Heads do not leave their section.
//
// RUN: %clang -O3 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=keys %s -o /dev/null 2> %t.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK-LABEL: function keys
// CHECK: check {{.*}}4*c - 4*heads*size >= 0
// CHECK: array d[][stride 12*c][stride 4*c][stride 4*size] of float
// CHECK: d[i0][1][i1][i2] = {{.*}}d[i0][0][i1][i2]
// CHECK: d[i0][2][i1][i2] = {{.*}}d[i0][1][i1][i2]
void keys(int t, int c, int heads, int size, float *restrict d, float *restrict w) {
    for (int i = 0; i < t; i++)
        for (int h = 0; h < heads; h++) {
            float *row = d + i * 3 * c + h * size;
            for (int k = 0; k < size; k++) {
                row[k + c] += row[k] * w[k];
                row[k + 2 * c] += row[k + c] * w[k];
            }
        }
}
