// LLVM 22 for x86 stores too much where truncated numbers are stored under a constant mask with one lane: a cell as wide as before. Such stores are at the end of short loops in strips of a triangle, and
// behind our last whole vector where sizes are constants.
// RUN: %clang -O3 -march=native -w -I%S/../run/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -I%S/../run/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=znver4 -w -I%S/../run/Inputs -S -emit-llvm %s -o - | %FileCheck %s
// REQUIRES: x86_64
#include "hash.h"
#include <stdio.h>

// CHECK-LABEL: @triangle(
// CHECK: masked.store.v64i8
// CHECK-NOT: masked.store{{.*}} <16 x i1> <i1 true, i1 false, i1 false
// CHECK-NOT: loopwright-loops
__attribute__((noinline)) void triangle(int n, int m, unsigned char A[restrict][m], unsigned char w[], unsigned char B[restrict][m]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = i; j < m - 1; j++) {
            int x = w[0] * A[i + 1][j - 1] + w[1] * A[i - 1][j + 1] - w[i] * A[i + 1][j] - w[2] * A[i][j + 1] + 7 * A[i][j + 1];
            B[i][j] = x > 3 ? x : 3;
        }
}

static unsigned char a[40 * 200], b[40 * 200], w[200];

int main(void) {
    for (int i = 0; i < sizeof a; i++) a[i] = i * 7919 % 23 - 7;
    for (int i = 0; i < sizeof w; i++) w[i] = i % 5 + 1;
    for (int n = 1; n <= 40; n += 3)
        for (int m = 2; m <= 200; m += 7) {
            for (int i = 0; i < sizeof b; i++) b[i] = i;
            triangle(n, m, (void *)a, w, (void *)b);
            printf("%d %d %lx\n", n, m, (unsigned long)hash(1, b, sizeof b));
        }
}
