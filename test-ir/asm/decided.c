// A condition that does not change in a loop is asked in front of it: the loop has vectors without masks.
// RUN: %loopwright-clang -target x86_64-linux-gnu -O3 -march=skylake-avx512 -Rpass=loopwright -S %s -o %t.s 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=ASM --input-file=%t.s

// CHECK: decided.c:[[#@LINE+5]]:5: remark: interchanged loops
// ASM-LABEL: positive:
// ASM-NOT: {%k
// ASM: vfmadd{{.*}}pd {{.*}}, %ymm
void positive(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                if (a[i][k] > 0) c[i][j] += a[i][k] * b[k][j];
}
