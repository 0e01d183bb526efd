// Sweeps in which every point waits for the one before and every row for the one before: some rows run abreast, each a little behind the one before it.
// RUN: %execute %s
// RUN: %loopwright-clang -O3 -march=x86-64-v4 -w -c %s -o %t.o -Rpass=loopwright -I%S/Inputs 2>&1 | %FileCheck %s
#include "kernel.h"

// CHECK: abreast.c:[[#@LINE+2]]:{{.*}}8 rows abreast
KERNEL(nine_points, "double n*m", double A[n][m]) {
    for (int t = 0; t < k; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                           A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0;
}

// Sweeps over one line: the sweeps are lanes, each two cells behind the one before it.
// CHECK: abreast.c:[[#@LINE+2]]:{{.*}}skewed loops, loops in 4 lanes
KERNEL(line, "double n", double x[n]) {
    for (int t = 0; t < m; t++)
        for (int i = 1; i < n - 1; i++) x[i] = (x[i - 1] + x[i] + x[i + 1]) * 0.33;
}

// From the last to the first, on floats.
// CHECK: abreast.c:[[#@LINE+2]]:{{.*}}8 rows abreast
KERNEL(backwards, "float n*m, float n*m", float A[n][m], float B[n][m]) {
    for (int i = n - 2; i >= 1; i--)
        for (int j = m - 2; j >= 1; j--)
            A[i][j] = 0.3f * A[i][j] + 0.17f * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1] + B[i][j]);
}

// Up and down.
// CHECK: abreast.c:[[#@LINE+2]]:{{.*}}8 rows abreast
KERNEL(against, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = m - 2; j >= 1; j--) A[i][j] = (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1] + B[i][j]) * 0.2;
}

// Rows of different lengths, and two limits.
// CHECK: abreast.c:[[#@LINE+2]]:{{.*}}8 rows abreast
KERNEL(triangle, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < i && j < m; j++) A[i][j] = (A[i - 1][j] + A[i][j - 1] * 0.25 + B[i][j] + A[i][j]) * 0.2;
}

// CHECK: abreast.c:[[#@LINE+2]]:{{.*}}rows abreast
KERNEL(two_arrays, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = (A[i - 1][j] + A[i][j - 1] * 0.5 + B[i][j]) * 0.25;
            B[i][j] = (B[i][j - 1] * 0.5 + A[i][j] + B[i - 1][j]) * 0.25;
        }
}

// Down the columns.
KERNEL(columns, "double n*m, double n*m", double A[n][m], double B[n][m]) {
    for (int j = 1; j < m - 1; j++)
        for (int i = 1; i < n - 1; i++) A[i][j] = (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1] + B[i][j]) * 0.2;
}

// Sums over all that is above and to the left.
KERNEL(prefix_sums, "double n*m, double n*m", double S[n][m], double A[n][m]) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) S[i][j] = A[i][j] + S[i - 1][j] + S[i][j - 1] - S[i - 1][j - 1];
}

// Integers, and a row that two statements begin.
KERNEL(alignment, "int n*m, int n*m", int score[n][m], int match[n][m]) {
    if (m < 1) return;
    for (int i = 1; i < n; i++) {
        score[i][0] = -i * 3;
        for (int j = 1; j < m; j++) {
            int best = score[i - 1][j - 1] + (match[i][j] & 0xffff);
            if (score[i - 1][j] - 3 > best) best = score[i - 1][j] - 3;
            if (score[i][j - 1] - 3 > best) best = score[i][j - 1] - 3;
            score[i][j] = best & 0xfffff;
        }
    }
}

// Points in three dimensions, every second row of one of them.
KERNEL(cube, "double n*n*n", double A[n][n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j += 2)
            for (int k = 1; k < n - 1; k++)
                A[i][j][k] = (A[i - 1][j][k] + A[i + 1][j][k] + A[i][j - 1][k] + A[i][j + 1][k] + A[i][j][k - 1] + A[i][j][k + 1]) * 0.125;
}

// Three points behind.
KERNEL(far, "double n*m", double A[n][m]) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m - 3; j++) A[i][j] = (A[i - 1][j + 2] + A[i][j - 1] * 0.5 + A[i][j]) * 0.4 + A[i - 1][j + 3] * 0.125;
}
