// What LLVM makes of the source, and what its iterations wait for: loops that new ones were thought to be better than.
//
// RUN: %loopwright-clang -O3 -march=emeraldrapids -S -o /dev/null -Rpass=loopwright -Rpass-missed=loopwright %s 2>&1 | %FileCheck %s
// REQUIRES: x86_64

// What is overwritten two iterations later is not waited for: no rows abreast.
// CHECK: waits.c:[[#@LINE+2]]:5: remark: left the loops as they are: the loops are already in the best form found
void overwritten(int n, int times, double *restrict a, double *restrict b, double *restrict c, double *restrict d) {
    for (int t = 0; t < times; t++)
        for (int i = 0; i < n - 1; i++) {
            a[i] = b[i] + c[i] * d[i];
            b[i] = c[i] + b[i];
            a[i + 1] = b[i] + a[i + 1] * d[i];
        }
}

// LLVM compares the addresses itself, and loads every cell once whatever they are.
// CHECK: waits.c:[[#@LINE+2]]:5: remark: left the loops as they are: the loops are already in the best form found
void diagonals(int n, double (*a)[n], double (*b)[n], double (*c)[n]) {
    for (int i = 0; i < n; i++) a[i][i] += b[i][i] * c[i][i];
}

// What has just been stored is in a register.
// CHECK: waits.c:[[#@LINE+3]]:5: remark: left the loops as they are: the loops are already in the best form found
void stored(int n, double *a, double *b, double *c, double *d) {
    int j = -1, k;
    for (int i = 0; i < n / 2; i++) {
        k = j + 1;
        a[i] = b[k] - d[i];
        j = k + 1;
        b[k] = a[i] + c[k];
    }
}

// Loads under conditions are vectors with masks: one loop for all.
// CHECK: waits.c:[[#@LINE+2]]:5: remark: left the loops as they are: the loops are already in the best form found
void masked(int n, int times, float *restrict a, float *restrict b, float *restrict c, float *restrict d, float *restrict e) {
    for (int t = 0; t < times; t++)
        for (int i = 0; i < n; i++) {
            a[i] += d[i] * e[i];
            if (a[i] < 0) b[i] += d[i] * e[i];
            c[i] += a[i] * d[i];
        }
}
