// Sums that go on in one loop behind the other: filters over channels that come last, whose taps LLVM has unrolled.
// RUN: %execute %s
// RUN: %loopwright-clang -O3 -march=znver4 -w -c %s -o %t.o -Rpass=loopwright -I%S/Inputs 2>&1 | %FileCheck %s
#include "kernel.h"

// CHECK: goes_on.c:[[#@LINE+3]]:{{.*}}register tile
KERNEL(channels_last, "double n*m*6, double (n+2)*(m+2)*k, double 9*k*6", double O[n][m][6], double X[n + 2][m + 2][k],
       double W[3][3][k][6]) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++)
            for (int o = 0; o < 6; o++) {
                double sum = 0;
                for (int u = 0; u < 3; u++)
                    for (int v = 0; v < 3; v++)
                        for (int c = 0; c < k; c++) sum += X[y + u][x + v][c] * W[u][v][c][o];
                O[y][x][o] = sum;
            }
}

// Channels that come last of the filters, too: rows between the strides of the loops that are left.
// CHECK: goes_on.c:[[#@LINE+3]]:{{.*}}register tile
KERNEL(channels_inside, "float n*m*6, float (n+2)*(m+2)*k, float 6*9*k", float O[n][m][6], float X[n + 2][m + 2][k],
       float W[6][3][3][k]) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++)
            for (int o = 0; o < 6; o++) {
                float sum = 0;
                for (int u = 0; u < 3; u++)
                    for (int v = 0; v < 3; v++)
                        for (int c = 0; c < k; c++) sum += X[y + u][x + v][c] * W[o][u][v][c];
                O[y][x][o] = sum;
            }
}

// With what is there before, and something done to the result.
KERNEL(biased, "float n*m*k, float (n+1)*m*k, float 2*k*k, float k", float O[n][m][k], float X[n + 1][m][k], float W[2][k][k], float b[k]) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++)
            for (int o = 0; o < k; o++) {
                float sum = b[o];
                for (int u = 0; u < 2; u++)
                    for (int c = 0; c < k; c++) sum += X[y + u][x][c] * W[u][c][o];
                O[y][x][o] = sum > 0 ? sum : 0.25f * sum;
            }
}

// Loops of different lengths, one of them inside of a loop of its own, another that may not run.
KERNEL(lengths, "double n*n, double n*m, double m*n, double k", double C[n][n], double A[n][m], double B[m][n], double s[k]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = C[i][j];
            for (int p = 0; p < m; p++) sum += A[i][p] * B[p][j];
            for (int p = 0; p < k; p++) sum -= s[p];
            for (int q = 0; q < 2; q++)
                for (int p = 0; p < m; p++) sum += A[i][p] * A[j][p];
            C[i][j] = sum;
        }
}

// What one loop has made is stored on the way, and used by something else.
KERNEL(on_the_way, "double n*m, double n*m, double n*k, double k*m", double C[n][m], double D[n][m], double A[n][k], double B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++) sum += A[i][p] * B[p][j];
            D[i][j] = sum;
            for (int p = 0; p < k; p++) sum += A[i][p] * A[i][p];
            C[i][j] = sum;
        }
}

// The second loop starts with the double of what the first one has made; the cell is read meanwhile.
KERNEL(doubled, "double n*m, double n*k, double k*m", double C[n][m], double A[n][k], double B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++) sum += A[i][p] * B[p][j];
            sum *= 2;
            for (int p = 0; p < k; p++) sum += A[i][p] + C[i][j];
            C[i][j] = sum;
        }
}

// Bytes.
KERNEL(bytes, "int n*m*k, char (n+1)*(m+1)*k, char 4*k*k", int O[n][m][k], unsigned char X[n + 1][m + 1][k], signed char W[2][2][k][k]) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++)
            for (int o = 0; o < k; o++) {
                int sum = 0;
                for (int u = 0; u < 2; u++)
                    for (int v = 0; v < 2; v++)
                        for (int c = 0; c < k; c++) sum += X[y + u][x + v][c] * W[u][v][c][o];
                O[y][x][o] = sum;
            }
}
