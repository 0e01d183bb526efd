// Windows that lie inside of the picture: their size, which other loops end before, is small, and the model thinks too well of plain loops over it.
//
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver4 -S -o %t.s -Rpass=loopwright -Rpass-missed=loopwright %s 2>&1 | %FileCheck %s
// REQUIRES: x86_64

#include <stdint.h>

// CHECK: valid_windows.c:[[#@LINE+2]]:{{.*}}: remark: {{.*}}register tile {{[0-9]+}}x{{[0-9]+}};
void bytes(int n, int w, int32_t out[n - w + 1][n - w + 1], uint8_t in[n][n], int16_t filter[w][w]) {
    for (int i = 0; i < n - w + 1; i++)
        for (int j = 0; j < n - w + 1; j++) {
            int32_t sum = 0;
            for (int p = 0; p < w; p++)
                for (int q = 0; q < w; q++) sum += in[i + p][j + q] * filter[p][q];
            out[i][j] = sum;
        }
}
