// LLVM compares all rows that the loop around walks, and sees no vectors where one of them is read: new loops know that rows are apart. Not where it can tell itself.
// RUN: %loopwright-clang -target x86_64-linux-gnu -O3 -march=x86-64-v3 -Rpass=loopwright -Rpass-missed=loopwright -S %s -o %t.s 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=ASM --input-file=%t.s

// An elimination that chooses its rows.
// CHECK: apart.c:[[#@LINE+9]]:9: remark: accesses told apart; predicted
// ASM-LABEL: pivots:
// ASM: vf{{n?}}madd{{.*}}pd {{.*}}, %ymm
void pivots(int n, double a[n][n], int *rows) {
    for (int k = 0; k < n; k++) {
        int most = k;
        for (int i = k + 1; i < n; i++)
            if (__builtin_fabs(a[i][k]) > __builtin_fabs(a[most][k])) most = i;
        rows[k] = most;
        for (int j = 0; j < n; j++) {
            double moved = a[k][j];
            a[k][j] = a[most][j];
            a[most][j] = moved;
        }
        // Below.
        for (int i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < n; j++) a[i][j] -= a[i][k] * a[k][j];
        }
    }
}

// CHECK-NOT: told apart
// CHECK: apart.c:[[#@LINE+2]]:5: remark: left the loops as they are
void below(int n, int k, double a[n][n]) {
    for (int i = k + 1; i < n; i++) {
        double factor = a[i][k];
        for (int j = k + 1; j < n; j++) a[i][j] -= factor * a[k][j];
    }
}
