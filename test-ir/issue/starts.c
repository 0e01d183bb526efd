// A sum's updates may have another order than the source's where they commute: the term that comes first in the source was taken for the first in time, and the start of the sum was put in front of it, in the last tile
// or in none.
// RUN: %execute --seeds=6,21,27,45 %s
#include "../run/Inputs/kernel.h"

KERNEL(from_the_end, "int n*m, char (n+1)*(k+1), char (k+1)*(m+1)", int C[n][m], unsigned char A[n + 1][k + 1], signed char B[k + 1][m + 1]) {
    if (m > 0)
        for (int j = 0; j != m; j++)
            for (long i = 0; i < n; i++) {
                int s = i;
                for (long p = 0; p < k; p++) s += A[i + 1][k - 1 - p] * B[k - 1 - p][j];
                C[i][j] = s > 0 ? s : 0;
            }
}
