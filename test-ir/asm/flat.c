// A matrix in a flat array, of 12 columns: lanes beyond the end of a row do not run, and do not meet the next row, so that sums stay in registers.
//
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver5 -S %s -o %t.s
// RUN: %inner-loops %t.s | %FileCheck %s --implicit-check-not='on the stack'
#include <string.h>

// CHECK: product: 24 vector multiply-adds (zmm), 2 vector loads, 12 broadcasts
void product(int n, double (*restrict C)[12][12], double (*restrict A)[12][12], double (*restrict B)[12][12]) {
    for (int b = 0; b < n; b++) {
        double t[12][12];
        memset(t, 0, sizeof t);
        for (int i = 0; i < 12; i++)
            for (int k = 0; k < 12; k++)
                for (int j = 0; j < 12; j++) t[i][j] += A[b][i][k] * B[b][k][j];
        memcpy(C[b], t, sizeof t);
    }
}
