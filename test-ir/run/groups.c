// Sums of products of bytes and of numbers of 16 bits by groups, two or four terms in one operation of the machine.
// RUN: %execute %s
// RUN: %loopwright-clang -O3 -march=znver5 -w -c %s -o %t.o -Rpass=loopwright -I%S/Inputs 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=haswell -w -c %s -o %t.o -Rpass=loopwright -I%S/Inputs 2>&1 | %FileCheck %s
#include "kernel.h"

// CHECK: groups.c:[[#@LINE+2]]:{{.*}}narrow integers in groups
KERNEL(rows, "int n*m, short n*k, short k*m", int C[n][m], short A[n][k], short B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
}

// Bytes with and without sign, both along rows; what was in C is overwritten.
// CHECK: groups.c:[[#@LINE+2]]:{{.*}}narrow integers in groups
KERNEL(bytes, "int n*m, char n*k, char m*k", int C[n][m], unsigned char A[n][k], signed char B[m][k]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int sum = 0;
            for (int p = 0; p < k; p++) sum += A[i][p] * B[j][p];
            C[i][j] = sum;
        }
}

// An odd number of terms, known to the compiler, and the second operand from its end.
// CHECK: groups.c:[[#@LINE+2]]:{{.*}}narrow integers in groups
KERNEL(backwards, "unsigned n*m, short n*37, short 37*m", unsigned C[n][m], short A[n][37], short B[37][m]) {
    for (int i = 0; i < n; i++)
        for (int p = 0; p < 37; p++)
            for (int j = 0; j < m; j++) C[i][j] += A[i][p] * B[36 - p][j];
}

// Products that are as large as can be, of what another nest has stored.
// CHECK: groups.c:[[#@LINE+6]]:{{.*}}narrow integers in groups
KERNEL(largest, "int n*m, short n*k, short k*m", int C[n][m], short A[n][k], short B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int p = 0; p < k; p++) A[i][p] = A[i][p] > 10 ? 32767 : -32768;
    for (int p = 0; p < k; p++)
        for (int j = 0; j < m; j++) B[p][j] = B[p][j] > 10 ? 32767 : -32768;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] = (unsigned)C[i][j] + (unsigned)(A[i][p] * B[p][j]);
}

// Channels of a convolution.
KERNEL(channels, "int n*m, short k*(n+2)*(m+2), short k*9", int O[n][m], short X[k][n + 2][m + 2], short W[k][3][3]) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++)
            for (int c = 0; c < k; c++)
                for (int u = 0; u < 3; u++)
                    for (int v = 0; v < 3; v++) O[y][x] += X[c][y + u][x + v] * W[c][u][v];
}

// What the nest itself stores, terms that another loop bounds, and a matrix by itself.
KERNEL(left, "int n*m, short n*m, short k*m", int C[n][m], short A[n][m], short B[k][m]) {
    for (int i = 0; i < n; i++) {
        for (int p = 0; p < m && p < k; p++) A[i][p] += 1;
        for (int j = 0; j < m; j++)
            for (int p = 0; p < m && p < k; p++) C[i][j] += A[i][p] * B[p][j];
    }
}

KERNEL(triangle, "int n*n, short n*n, char n*n", int C[n][n], short A[n][n], signed char B[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int p = 0; p < i; p++) C[i][j] += A[i][p] * B[p][j];
}

KERNEL(itself, "int n*n, short n*k", int C[n][n], short A[n][k]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * A[j][p];
}

// Products in a batch, and two sums of one operand.
KERNEL(batch, "int k*n*m, char k*n*7, char k*7*m", int C[k][n][m], signed char A[k][n][7], unsigned char B[k][7][m]) {
    for (int b = 0; b < k; b++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int p = 0; p < 7; p++) C[b][i][j] += A[b][i][p] * B[b][p][j];
}

KERNEL(both, "int n*m, int n*m, short n*k, short k*m, char k*m", int C[n][m], int D[n][m], short A[n][k], short B[k][m],
       signed char E[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int c = 0, d = 1;
            for (int p = 0; p < k; p++) {
                c += A[i][p] * B[p][j];
                d += A[i][p] * E[p][j];
            }
            C[i][j] = c;
            D[i][j] = d;
        }
}

// Others see the sums on their way.
KERNEL(watched, "int n*m, int k, short n*k, short k*m", int C[n][m], int D[k], short A[n][k], short B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) {
                C[i][j] += A[i][p] * B[p][j];
                D[p] += C[i][j];
            }
}

KERNEL(cleared, "int n*m, short n*k, short k*m", int C[n][m], short A[n][k], short B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int p = 0; p < k; p++) {
            for (int j = 0; j < m; j++) C[i][j] += A[i][p] * B[p][j];
            for (int j = 0; j < m; j++) C[i][j] &= 0xffff;
        }
}

// Bytes whose signs are alike: the machine's operation may want others.
KERNEL(signs, "int n*m, char n*k, char k*m", int C[n][m], signed char A[n][k], signed char B[k][m]) {
    for (int i = 0; i < n; i++) {
        for (int p = 0; p < k; p++) A[i][p] = A[i][p] > 10 ? 127 : -128;
        for (int j = 0; j < m; j++) C[i][j] = i - j;
    }
    for (int i = 0; i < n; i++)
        for (int p = 0; p < k; p++)
            for (int j = 0; j < m; j++) C[i][j] += A[i][p] * B[p][j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) C[i][j] = C[i][j] * 3 + 1;
}

KERNEL(no_signs, "int n*m, char n*k, char m*k", int C[n][m], unsigned char A[n][k], unsigned char B[m][k]) {
    for (int j = 0; j < m; j++)
        for (int p = 0; p < k; p++) B[j][p] |= 0xf0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int sum = i;
            for (int p = 0; p < k; p++) sum += A[i][p] * B[j][p];
            C[i][j] = sum >> 3;
        }
}

// Constant numbers of terms, with three, two, one and none left.
#define TERMS(N, A_SIGN, B_SIGN)                                                                                                           \
    KERNEL(terms_##N, "int n*m, char n*" #N ", char " #N "*m", int C[n][m], A_SIGN char A[n][N], B_SIGN char B[N][m]) {                     \
        for (int i = 0; i < n; i++)                                                                                                        \
            for (int j = 0; j < m; j++)                                                                                                    \
                for (int p = 0; p < N; p++) C[i][j] += A[i][p] * B[p][j];                                                                  \
    }
TERMS(19, signed, signed)
TERMS(22, unsigned, unsigned)
TERMS(25, signed, unsigned)
TERMS(20, unsigned, signed)

// What is taken off belongs to each of several sums of a cell.
KERNEL(taps, "int n*m, char (n+2)*(m+2)*k, char 3*3*k", int O[n][m], signed char X[n + 2][m + 2][k], signed char W[3][3][k]) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++) {
            int sum = 5;
            for (int u = 0; u < 3; u++)
                for (int v = 0; v < 3; v++)
                    for (int c = 0; c < k; c++) sum += X[y + u][x + v][c] * W[u][v][c];
            O[y][x] = sum;
        }
}
