// Buffers that every iteration writes anew get memory for each of them: products of matrices go through one row otherwise, and solves along rows or columns cannot run at once. What the last iteration
// leaves is there afterwards.
// RUN: %execute %s
// RUN: %loopwright-clang -O3 -march=znver5 -w -I%S/Inputs -Rpass=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s
#include "kernel.h"

KERNEL(rows_by_a_buffer, "double m*n*k, double k*k, double k", double A[m][n][k], double C[k][k], double s[k]) {
    for (int r = 0; r < m; r++)
        for (int q = 0; q < n; q++) {
            for (int p = 0; p < k; p++) {
                s[p] = 0.0;
                for (int t = 0; t < k; t++) s[p] += A[r][q][t] * C[t][p];
            }
            for (int p = 0; p < k; p++) A[r][q][p] = s[p];
        }
}

KERNEL(sum_in_a_register, "float n*k, float k*m, float n*m, float m", float A[n][k], float C[k][m], float O[n][m], float s[m]) {
    for (int q = 0; q < n; q++) {
        for (int p = 0; p < m; p++) {
            float sum = 1.0f;
            for (int t = 0; t < k; t++) sum += A[q][t] * C[t][p];
            s[p] = sum;
        }
        for (int p = 0; p < m; p++) O[q][p] = s[p] * s[m - 1 - p];
    }
}

// The last row is the longest.
KERNEL(growing, "double n*m, double n*m, double n*m, double n*m, double n", double O[n][m], double Q[n][m], double K[n][m], double V[n][m], double s[n]) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            s[j] = 0.0;
            for (int l = 0; l < m; l++) s[j] += Q[i][l] * K[j][l];
        }
        for (int j = 0; j <= i; j++)
            for (int l = 0; l < m; l++) O[i][l] += s[j] * V[j][l];
    }
}

// The first row is the longest: cells of earlier rows stay.
KERNEL(shrinking, "double n*m, double n*m, double n*m, double n", double O[n][m], double Q[n][m], double K[n][m], double s[n]) {
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            s[j] = 0.0;
            for (int l = 0; l < m; l++) s[j] += Q[i][l] * K[j][l];
        }
        for (int l = 0; l < m && i + l < n; l++) O[i][l] += s[i + l];
    }
}

// Read behind the loop, changed there, and written anew.
KERNEL(used_behind, "double n*k, double k*m, double m+3, double k*m", double A[n][k], double C[k][m], double s[m + 3], double D[k][m]) {
    for (int b = 0; b < k; b++) {
        for (int q = 0; q < n; q++) {
            for (int p = 0; p < m; p++) s[p + 2] = b;
            for (int t = 0; t < k; t++)
                for (int p = 0; p < m; p++) s[p + 2] += A[q][t] * C[t][p];
            for (int t = 0; t < k; t++) A[q][t] = A[q][t] * 0.5 + (t < m ? s[t + 2] : 0.0) * 0.0625;
        }
        for (int p = 0; p < m; p++) D[b][p] += s[p + 2] + s[p];
        for (int p = 0; p < m + 3; p++) s[p] *= 0.25;
    }
}

// Backwards, in whole numbers, with two buffers.
KERNEL(two_buffers, "int n*k, int k*m, int m, int k", int A[n][k], int C[k][m], int s[m], int u[k]) {
    for (int q = n - 1; q >= 0; q--) {
        for (int p = 0; p < m; p++) {
            s[p] = q;
            for (int t = 0; t < k; t++) s[p] += A[q][t] * C[t][p];
        }
        for (int t = 0; t < k; t++) {
            u[t] = 0;
            for (int p = 0; p < m; p++) u[t] += s[p] * C[t][p];
        }
        for (int t = 0; t < k; t++) A[q][t] ^= u[t];
    }
}

// A plane.
KERNEL(plane, "double n*k, double k*m*m, double m*m, double n*m", double A[n][k], double C[k][m][m], double s[m][m], double O[n][m]) {
    for (int q = 0; q < n; q++) {
        for (int p = 0; p < m; p++)
            for (int r = 0; r < m; r++) {
                s[p][r] = 0.0;
                for (int t = 0; t < k; t++) s[p][r] += A[q][t] * C[t][p][r];
            }
        for (int p = 0; p < m; p++)
            for (int r = 0; r < m; r++) O[q][p] += s[p][r] * s[r][p];
    }
}

// Only some rows.
KERNEL(under_a_condition, "double n*k, double k*m, double m, double n*m", double A[n][k], double C[k][m], double s[m], double O[n][m]) {
    for (int q = 2; q < n - 1; q += 2) {
        for (int p = 0; p < m; p++) s[p] = O[q][p];
        for (int t = 0; t < k; t++)
            for (int p = 0; p < m; p++) s[p] -= A[q][t] * C[t][p];
        for (int p = 0; p < m; p++) O[q][p] = s[p];
    }
}

// Not written by every row, or not before it is read: no buffer.
KERNEL(left_from_before, "double n*k, double k*m, double m, double n*m", double A[n][k], double C[k][m], double s[m], double O[n][m]) {
    for (int q = 0; q < n; q++) {
        for (int p = 0; p < m; p++) {
            if (p < q) s[p] = 1.0;
            for (int t = 0; t < k; t++) s[p] += A[q][t] * C[t][p] * 0.125;
        }
        for (int p = 0; p < m; p++) O[q][p] = s[p];
    }
}

// CHECK-DAG: private.c:[[#@LINE+2]]:5: remark: {{.*}}loops in 8 lanes, a buffer has memory for every iteration
KERNEL(solves_along_rows, "double n*m, double n*m, double n*m, double m+1", double A[n][m], double B[n][m], double D[n][m], double c[m + 1]) {
    for (int i = 0; i < n; i++) {
        if (m < 2) continue;
        c[0] = A[i][0] / (B[i][0] + 100);
        D[i][0] /= B[i][0] + 100;
        for (int j = 1; j < m; j++) {
            double f = 1 / (B[i][j] + 100 - A[i][j] * c[j - 1]);
            c[j] = A[i][j] * f;
            D[i][j] = (D[i][j] - A[i][j] * D[i][j - 1]) * f;
        }
        for (int j = m - 2; j >= 0; j--) D[i][j] -= c[j] * D[i][j + 1];
    }
}

// CHECK-DAG: private.c:[[#@LINE+2]]:5: remark: {{.*}}a buffer has memory for every iteration
KERNEL(solves_along_columns, "double n*m, double n*m, double n", double A[n][m], double D[n][m], double c[n]) {
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) c[j] = j == 0 ? A[0][i] / 100 : A[j][i] / (100 - A[j][i] * c[j - 1]);
        for (int j = 1; j < n; j++) D[j][i] -= c[j - 1] * D[j - 1][i];
        for (int j = n - 2; j >= 0; j--) D[j][i] -= c[j] * D[j + 1][i];
    }
}

// The middle one of three dimensions; what the last solve leaves is used.
// CHECK-DAG: private.c:[[#@LINE+3]]:5: remark: {{.*}}a buffer has memory for every iteration
KERNEL(solves_of_planes, "double n*m*k, double m, double m, double m, double m", double D[n][m][k], double l[m], double d[m], double c[m], double e[m]) {
    if (m < 2) return;
    for (int z = 0; z < n; z++)
        for (int x = 0; x < k; x++) {
            c[0] = l[0] / (d[0] + 100);
            D[z][0][x] /= d[0] + 100;
            for (int y = 1; y < m; y++) {
                double f = 1 / (d[y] + 100 - l[y] * c[y - 1]);
                c[y] = l[y] * f;
                D[z][y][x] = (D[z][y][x] - l[y] * D[z][y - 1][x]) * f;
            }
            for (int y = m - 2; y >= 0; y--) D[z][y][x] -= c[y] * D[z][y + 1][x];
        }
    for (int y = 0; y < m; y++) e[y] += c[y];
}

// Two buffers, one with a cell more than the rows.
// CHECK-DAG: private.c:[[#@LINE+2]]:5: remark: {{.*}}loops in 16 lanes, {{.*}}buffers have memory for every iteration
KERNEL(filters_there_and_back, "float n*m, float n*m, float m+1, float m", float X[n][m], float Y[n][m], float s[m + 1], float t[m]) {
    for (int i = 0; i < n; i++) {
        s[0] = 0;
        for (int j = 0; j < m; j++) s[j + 1] = 0.5f * s[j] + X[i][j];
        float last = 0;
        for (int j = m - 1; j >= 0; j--) {
            t[j] = 0.25f * last + s[j];
            last = t[j];
        }
        for (int j = 0; j < m; j++) Y[i][j] = s[j + 1] + t[j];
    }
}

// CHECK-DAG: private.c:[[#@LINE+2]]:5: remark: {{.*}}a buffer has memory for every iteration
KERNEL(columns_by_a_buffer, "double n*m, double n", double A[n][m], double t[n]) {
    for (int j = 0; j < m; j++) {
        for (int i = 0; i < n; i++) t[i] = A[i][j];
        for (int i = 1; i < n - 1; i++) A[i][j] = 0.25 * t[i - 1] + 0.5 * t[i] + 0.25 * t[i + 1];
    }
}

KERNEL(declared_in_the_loop, "double n*32, double n*32", double A[n][32], double D[n][32]) {
    for (int i = 0; i < n; i++) {
        double c[32];
        c[0] = 0.5;
        for (int j = 1; j < 32; j++) c[j] = A[i][j] / (4 - c[j - 1]);
        for (int j = 30; j >= 0; j--) D[i][j] -= c[j] * D[i][j + 1];
    }
}

// The first cell is that of the row before, or of nobody.
KERNEL(goes_on_in_the_next_row, "double n*m, double m", double A[n][m], double c[m]) {
    for (int i = 0; i < n; i++) {
        for (int j = 1; j < m; j++) c[j] = A[i][j] - 0.5 * c[j - 1];
        for (int j = 1; j < m; j++) A[i][j] -= c[j] * A[i][j - 1];
    }
}

// Rows that get shorter: cells that the last one does not have keep what others have left there.
KERNEL(shorter_rows, "double n*n, double n+1", double A[n][n], double c[n + 1]) {
    for (int i = 0; i < n; i++) {
        c[0] = 1;
        for (int j = 0; j < n - i; j++) c[j + 1] = A[i][j] - 0.5 * c[j];
        for (int j = 0; j < n - i; j++) A[i][j] += c[j];
    }
}
