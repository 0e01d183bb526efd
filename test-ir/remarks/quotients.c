// An elimination whose factor lives in a register has a kernel: its quotients get memory. One that divides by the same number in all iterations has no use for that.
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=x86-64-v3 -Rpass=loopwright -Rpass-missed=loopwright -S %s -o /dev/null 2>&1 | %FileCheck %s

// CHECK: quotients.c:[[#@LINE+2]]:5: remark: {{.*}}register tile {{.*}}quotients and the like have memory of their own
void gauss(int n, double A[n][n]) {
    for (int p = 0; p < n - 1; p++)
        for (int i = p + 1; i < n; i++) {
            double f = A[i][p] / A[p][p];
            for (int j = p; j < n; j++) A[i][j] -= f * A[p][j];
        }
}

// CHECK-NOT: quotients and the like
void scaled(int n, double C[restrict n][n], double A[restrict n][n], double B[restrict n][n], double d) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] += A[i][k] / d * B[k][j];
}
