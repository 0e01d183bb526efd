// Stencils and convolutions of channels, whose rows read the same cells: some rows run abreast along a loop in lanes, and load them once.
// RUN: %execute %s
// RUN: %loopwright-clang -O3 -march=znver4 -w -c %s -o %t.o -Rpass=loopwright -I%S/Inputs 2>&1 | %FileCheck %s
#include "kernel.h"

// CHECK: neighbours.c:[[#@LINE+2]]:{{.*}}loops in 8 lanes, 8 rows abreast
KERNEL(blur, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            B[i][j] = 0.0625 * (A[i - 1][j - 1] + A[i - 1][j + 1] + A[i + 1][j - 1] + A[i + 1][j + 1]) +
                      0.125 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]) + 0.25 * A[i][j];
}

// Each channel by itself, with weights of its own.
// CHECK: neighbours.c:[[#@LINE+2]]:{{.*}}loops in 16 lanes, {{[234]}} rows abreast
KERNEL(by_channels, "float n*m*k, float 9*k, float n*m*k", float A[n][m][k], float w[3][3][k], float B[n][m][k]) {
    for (int i = 0; i < n - 2; i++)
        for (int j = 0; j < m - 2; j++)
            for (int c = 0; c < k; c++) {
                float sum = 0;
                for (int u = 0; u < 3; u++)
                    for (int v = 0; v < 3; v++) sum += A[i + u][j + v][c] * w[u][v][c];
                B[i][j][c] = sum;
            }
}

// Two results for each point, and a condition.
KERNEL(slopes, "float n*m, float n*m, float n*m", float A[n][m], float X[n][m], float Y[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            float x = A[i - 1][j + 1] + 2 * A[i][j + 1] + A[i + 1][j + 1] - A[i - 1][j - 1] - 2 * A[i][j - 1] - A[i + 1][j - 1];
            float y = A[i + 1][j - 1] + 2 * A[i + 1][j] + A[i + 1][j + 1] - A[i - 1][j - 1] - 2 * A[i - 1][j] - A[i - 1][j + 1];
            X[i][j] = x;
            Y[i][j] = y > 0 ? y : -y;
        }
}

// From the last to the first, along rows and over them.
// CHECK: neighbours.c:[[#@LINE+2]]:{{.*}}loops in 8 lanes, {{[468]}} rows abreast
KERNEL(backwards, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = n - 2; i > 0; i--)
        for (int j = m - 2; j > 0; j--)
            B[i][j] = A[i - 1][j - 1] * 0.5 + A[i][j - 1] * 0.25 + A[i + 1][j - 1] + A[i - 1][j] * 0.75 + A[i][j] * 0.1 + A[i + 1][j] * 0.2 +
                      A[i - 1][j + 1] * 0.3 + A[i][j + 1] * 0.4 + A[i + 1][j + 1] * 0.6;
}

// Rows of different lengths.
// CHECK: neighbours.c:[[#@LINE+2]]:{{.*}}loops in 8 lanes, {{[468]}} rows abreast
KERNEL(triangle, "double n*(n+2), double n*(n+2)", double A[n][n + 2], double B[n][n + 2]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j <= i; j++)
            B[i][j] = A[i - 1][j - 1] + 0.5 * (A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1]) + 0.25 * (A[i][j] + A[i][j + 1]) +
                      0.3 * (A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]);
}

// What a row writes the next one reads: they wait.
// CHECK-NOT: neighbours.c:{{.*}}lanes, {{[2-8]}} rows abreast
KERNEL(in_place, "double n*m", double A[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 6.0;
}

// Sums of whole numbers of other widths.
// CHECK: neighbours.c:[[#@LINE+2]]:{{.*}}loops in 16 lanes, {{[468]}} rows abreast
KERNEL(counts, "char n*m, int n*m", uint8_t A[n][m], int32_t B[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            B[i][j] = A[i - 1][j - 1] + A[i - 1][j] * 3 + A[i - 1][j + 1] + A[i][j - 1] * 5 + A[i][j] * 7 + A[i][j + 1] * 5 + A[i + 1][j - 1] +
                      A[i + 1][j] * 3 + A[i + 1][j + 1];
}
