// Sums over several loops: every cell adds in the order of the source, so of two loops of a sum the outer one stays outside. Several rows share copied columns.
// RUN: %execute %s
#include "kernel.h"

KERNEL(contraction_four, "double n*m*k*n, double n*k*m*k, double n*k*k*k", double T[n][m][k][n], double A[n][k][m][k],
       double B[n][k][k][k]) {
    for (int a = 0; a < n; a++)
        for (int b = 0; b < m; b++)
            for (int c = 0; c < k; c++)
                for (int d = 0; d < n; d++)
                    for (int e = 0; e < k; e++)
                        for (int f = 0; f < k; f++) T[a][b][c][d] += A[a][e][b][f] * B[d][f][c][e];
}

// Some loops are of constant length.
KERNEL(contraction_constant, "double 3*n*2*m, double 3*k*n*9, double m*9*2*k", double T[3][n][2][m], double A[3][k][n][9],
       double B[m][9][2][k]) {
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < n; b++)
            for (int c = 0; c < 2; c++)
                for (int d = 0; d < m; d++)
                    for (int e = 0; e < k; e++)
                        for (int f = 0; f < 9; f++) T[a][b][c][d] += A[a][e][b][f] * B[d][f][c][e];
}

// The inner loop of the sum begins where the outer one is.
KERNEL(contraction_slanted, "float n*m, float n*k*k, float m*k*k", float T[n][m], float A[n][k][k], float B[m][k][k]) {
    for (int a = 0; a < n; a++)
        for (int b = 0; b < m; b++)
            for (int e = 0; e < k; e++)
                for (int f = e; f < k; f++) T[a][b] += A[a][e][f] * B[b][f][e];
}

// One operand is read again in every step of the outer loop of the sum: T is both.
KERNEL(contraction_in_place, "double n*m, double n*9*k, double m*k*9", double T[n][m], double A[n][9][k], double B[m][k][9]) {
    for (int e = 0; e < 9; e++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < m; b++)
                for (int f = 0; f < k; f++) T[a][b] = T[a][b] * A[a][e][f] + B[b][f][e];
}

KERNEL(integers, "int n*m, int n*9*k, int m*k*9", int T[n][m], int A[n][9][k], int B[m][k][9]) {
    for (int a = 0; a < n; a++)
        for (int b = 0; b < m; b++)
            for (int e = 0; e < 9; e++)
                for (int f = 0; f < k; f++)
                    T[a][b] = (int)((unsigned)T[a][b] + (unsigned)A[a][e][f] * (unsigned)B[b][f][e]);
}

KERNEL(matricised_tensor, "double n*m, double n*9*k, double 9*m, double k*m", double M[n][m], double X[n][9][k],
       double B[9][m], double C[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 9; j++)
            for (int l = 0; l < k; l++)
                for (int s = 0; s < m; s++) M[i][s] += X[i][j][l] * B[j][s] * C[l][s];
}

KERNEL(batched, "double 4*n*m, double 4*n*k, double 4*k*m", double C[4][n][m], double A[4][n][k], double B[4][k][m]) {
    for (int b = 0; b < 4; b++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int p = 0; p < k; p++) C[b][i][j] += A[b][i][p] * B[b][p][j];
}

KERNEL(batched_transposed, "double 4*n*m, double 4*n*k, double 4*m*k", double C[4][n][m], double A[4][n][k],
       double B[4][m][k]) {
    for (int b = 0; b < 4; b++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                for (int p = 0; p < k; p++) C[b][i][j] += A[b][i][p] * B[b][j][p];
}

KERNEL(tensor_times_matrix, "double 4*m*n, double 4*k*n, double m*k", double Y[4][m][n], double X[4][k][n], double U[m][k]) {
    for (int i = 0; i < 4; i++)
        for (int s = 0; s < m; s++)
            for (int l = 0; l < n; l++) {
                Y[i][s][l] = 0.0;
                for (int j = 0; j < k; j++) Y[i][s][l] += X[i][j][l] * U[s][j];
            }
}

// The loops over the filter are unrolled before the plugin sees them: nine sums in a row, each starts with what the one before has left in memory.
KERNEL(convolution_channels_last, "float n*m*8, float n*m*k+2*n*k+2*m*k+4*k, float 9*k*8", float out[n][m][8],
       float in[n + 2][m + 2][k], float filter[3][3][k][8]) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m; x++)
            for (int o = 0; o < 8; o++) {
                out[y][x][o] = 0.0f;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++)
                        for (int i = 0; i < k; i++) out[y][x][o] += in[y + p][x + q][i] * filter[p][q][i][o];
            }
}

// The cell changes between the sums.
KERNEL(sums_with_changes, "float n*m, float n*k, float k*m", float out[n][m], float A[n][k], float B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            out[i][j] = 1.0f;
            for (int p = 0; p < k; p++) out[i][j] += A[i][p] * B[p][j];
            for (int p = 0; p < k; p++) out[i][j] -= A[i][p] * B[p][j];
            out[i][j] *= 3.0f;
            for (int p = 0; p < k; p++) out[i][j] += B[p][j] * A[i][p];
        }
}

// The second sum starts with the result of the first, in another cell.
KERNEL(sum_goes_on_elsewhere, "float n*m, float n*m, float n*k, float k*m", float out[n][m], float other[n][m],
       float A[n][k], float B[k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            out[i][j] = 1.0f;
            for (int p = 0; p < k; p++) out[i][j] += A[i][p] * B[p][j];
            other[i][j] = out[i][j];
            for (int p = 0; p < k; p++) other[i][j] -= A[i][p] * B[p][j];
            for (int p = 0; p < k; p++) out[i][j] += B[p][j] * A[i][p];
        }
}

// Copies hold what the statement makes of cells first.
KERNEL(scaled_rows, "double n*m, double n*k, double m*k", double C[n][m], double A[n][k], double B[m][k]) {
    double alpha = 1.0 / (n + 3);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += alpha * A[i][p] * B[j][p];
}

KERNEL(scaled_columns, "float n*m, float n*k, float m*k", float C[n][m], float A[n][k], float B[m][k]) {
    float alpha = 1.0f / (float)(n + 3);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] -= A[i][p] * ((B[j][p] - alpha) * 1.1f);
}

// Not where a factor changes, or the cell itself is needed too.
KERNEL(scaled_by_row, "double n*m, double n*k, double m*k, double n", double C[n][m], double A[n][k], double B[m][k],
       double x[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += x[i] * A[i][p] * B[j][p];
}

KERNEL(scaled_and_not, "double n*m, double n*k, double m*k", double C[n][m], double A[n][k], double B[m][k]) {
    double alpha = 1.0 / (n + 3);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += (alpha * A[i][p] + B[j][p]) * A[i][p];
}

KERNEL(rank_two, "double n*n, double n*k, double n*k", double C[n][n], double A[n][k], double B[n][k]) {
    double alpha = 1.0 / (n + 3);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) C[i][j] *= 1.2;
        for (int p = 0; p < k; p++)
            for (int j = 0; j <= i; j++) C[i][j] += A[j][p] * alpha * B[i][p] + B[j][p] * alpha * A[i][p];
    }
}
