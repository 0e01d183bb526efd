// Updates by an operation on integers that takes its operands in any order may run in another one than in the source: Nussinov's recurrence along rows. Not where another operation comes between, nor
// sums of numbers with a point.
// RUN: %loopwright-clang -target x86_64-linux-gnu -O3 -march=x86-64-v3 -Rpass=loopwright -Rpass-missed=loopwright -S %s -o %t.s 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=ASM --input-file=%t.s

#define MAX(a, b) ((a) > (b) ? (a) : (b))

// CHECK: updates.c:[[#@LINE+4]]:5: remark: interchanged loops{{.*}}, updates that commute in another order; predicted
// ASM-LABEL: pairs:
// ASM: vpmaxsd {{.*}}, %ymm
void pairs(int n, const int *restrict s, int t[restrict n][n]) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            t[i][j] = MAX(t[i][j], t[i][j - 1]);
            t[i][j] = MAX(t[i][j], t[i + 1][j]);
            t[i][j] = MAX(t[i][j], t[i + 1][j - 1] + s[j]);
            for (int k = i + 1; k < j; k++) t[i][j] = MAX(t[i][j], t[i][k] + t[k + 1][j]);
        }
}

// CHECK-NOT: another order
// CHECK: updates.c:[[#@LINE+2]]:5: remark: left the loops as they are
void between(int n, const int *restrict s, int t[restrict n][n]) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            t[i][j] = MAX(t[i][j], t[i][j - 1]);
            t[i][j] += s[j];
            for (int k = i + 1; k < j; k++) t[i][j] = MAX(t[i][j], t[i][k] + t[k + 1][j]);
        }
}

// CHECK-NOT: another order
// CHECK: updates.c:[[#@LINE+2]]:5: remark: left the loops as they are
void sums(int n, float t[restrict n][n]) {
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++) {
            t[i][j] += t[i][j - 1];
            for (int k = i + 1; k < j; k++) t[i][j] += t[i][k] * t[k + 1][j];
        }
}
