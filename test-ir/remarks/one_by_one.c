// Bytes that are stored to every second cell are stored one by one, and all of that is code: tiles have few rows then.
// RUN: %loopwright-clang -O3 -march=znver4 -w -Rpass=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s

// CHECK: one_by_one.c:[[#@LINE+2]]:5: remark: {{.*}}register tile 4x64
void sums(int m, int n, int s, const unsigned char *restrict x, unsigned char *restrict y) {
    for (int i = 0; i < s; i++)
        for (int j = 0; j < (m + 1) / 2; j++) {
            unsigned a = 0;
            for (int c = 0; c < n; c++) a += x[c * m + 2 * j + 2];
            y[(i * m + j) * 2] = a;
        }
}
