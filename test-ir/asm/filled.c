// Kernels that take the sixteen registers of AVX2, or all but one: what LLVM takes out of loops around them (signs of the source's products, masks) is in none while they run, else it
// moves accumulators to the stack and back.
//
// DEFINE: %{loops} = %inner-loops --show %t.s | %FileCheck %s --implicit-check-not='%ymm{{[0-9]+}}, {{-?[0-9]*}}(%rsp)' --check-prefix
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver3 -S %s -o %t.s
// RUN: %{loops}=CHECK
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=haswell -S %s -o %t.s
// RUN: %{loops}=CHECK

// CHECK: solve: 12 vector multiply-adds (ymm), 3 vector loads, 4 broadcasts
// CHECK: groups: {{[0-9]+}} vector multiply-adds (ymm), {{.*}} 12 broadcasts
void solve(int n, double A[n][n], double B[n][n], double U[n][n]) {
    for (int m = 0; m < n; m++) {
        for (int k = 0; k < n; k++) A[m][k] = B[m][k];
        for (int j = 0; j < n; j++) {
            A[m][j] /= U[j][j];
            for (int k = j + 1; k < n; k++) A[m][k] -= A[m][j] * U[j][k];
        }
    }
}

void groups(int n, float out[n][n], float in[n][n], signed char weights[n][n], float scales[n / 32][n]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) out[i][j] += in[i][k] * ((float)weights[k][j] * scales[k / 32][j]);
}
