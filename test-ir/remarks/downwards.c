// A sum that is counted downwards begins with its last term, in squares that begin there, too.
// RUN: %loopwright-clang -O3 -march=znver5 -fno-math-errno -Rpass=loopwright -Rpass-analysis=loopwright %s -c -o /dev/null 2>&1 | %FileCheck %s
#include <math.h>

// CHECK: for (c2 = 0; c2 <= floord(c0 - 8, 8); c2 += 1)
// CHECK-NEXT: hold lanes 8: [[LAST:r[0-9]+]] = arg1[c0 + 16*c1 + lane][c0 - 8*c2 - 8] (load)
// CHECK: lanes 8: {{.*}} = fmuladd(-arg1[c0][c0 - 8*c2 - 1], [[FIRST:r[0-9]+]],
// CHECK: lanes 8: {{.*}} = fmuladd(-arg1[c0][c0 - 8*c2 - 8], [[LAST]],
void choldc(int n, float **a, float *p) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            float sum = a[i][j];
            for (int k = i - 1; k >= 0; k--) sum -= a[i][k] * a[j][k];
            if (i == j) p[i] = sqrtf(sum);
            else a[j][i] = sum / p[i];
        }
}

// Where several rows use the same operands they have a tile, and these are copied.
// CHECK: downwards.c:[[#@LINE+2]]:5: remark: interchanged loops, register tile 8x48 with packed operands
void triangle(int n, float c[n][n], float a[n][n], float b[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = i - 1; k >= 0; k--) c[i][j] += a[i][k] * b[j][k];
}
