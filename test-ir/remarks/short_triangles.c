// Loops of a few iterations each, triangles of constant sizes: how often they run repeats with every matrix, so the core foresees their ends and has several of them in work at once. Lanes
// over the matrices would have to gather every cell (0.5 times the speed on Zen 5, whose divisions are all that the source waits for).
// RUN: %loopwright-clang -O3 -march=znver5 -S -o /dev/null -Rpass=loopwright -Rpass-missed=loopwright %s 2>&1 | %FileCheck %s
// REQUIRES: x86_64
// CHECK: short_triangles.c:[[#@LINE+4]]:5: remark: left the loops as they are: the loops are already in the best form found
#include <math.h>

void batch(int n, double (*A)[8][8]) {
    for (int b = 0; b < n; b++)
        for (int j = 0; j < 8; j++) {
            double d = A[b][j][j];
            for (int k = 0; k < j; k++)
                d -= A[b][j][k] * A[b][j][k];
            d = sqrt(d);
            A[b][j][j] = d;
            for (int i = j + 1; i < 8; i++) {
                double s = A[b][i][j];
                for (int k = 0; k < j; k++)
                    s -= A[b][i][k] * A[b][j][k];
                A[b][i][j] = s / d;
            }
        }
}
