// Products that several sums share are no pairs with them, one by one; of vectors of such products each may have one sum, and the back end makes them one operation where it may.
// RUN: %clang -O3 -march=native -ffp-contract=fast %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=fast %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=fast -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=fast -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=haswell -ffp-contract=fast -c %s -o %t.o -Rpass-missed=loopwright 2>&1 | %FileCheck %s
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// CHECK: shared_products.c:[[#@LINE+2]]:{{.*}}LLVM may make vectors of statements that share products
__attribute__((noinline)) void spread(int n, double *restrict D, const double *restrict A, const double *restrict B) {
    for (int b = 0; b < n; b++) {
        D[b * 64 + 0] += A[b * 64 + 5] * B[b * 100 + 1];
        D[b * 64 + 1] += A[b * 64 + 9] * B[b * 100 + 1];
        D[b * 64 + 2] += A[b * 64 + 13] * B[b * 100 + 1];
        D[b * 64 + 2] += A[b * 64 + 5] * B[b * 100 + 1];
        D[b * 64 + 3] += A[b * 64 + 9] * B[b * 100 + 1];
        D[b * 64 + 4] += A[b * 64 + 13] * B[b * 100 + 1];
        D[b * 64 + 4] += A[b * 64 + 5] * B[b * 100 + 1];
        D[b * 64 + 5] += A[b * 64 + 9] * B[b * 100 + 1];
        D[b * 64 + 6] += A[b * 64 + 13] * B[b * 100 + 1];
        D[b * 64 + 6] += A[b * 64 + 5] * B[b * 100 + 1];
        D[b * 64 + 7] += A[b * 64 + 9] * B[b * 100 + 1];
        D[b * 64 + 8] += A[b * 64 + 13] * B[b * 100 + 1];
    }
}

static double memory[3][4000];

int main(void) {
    for (int n = 0; n < 40; n += 1 + n / 4) {
        for (int m = 0; m < 3; m++)
            for (int i = 0; i < 4000; i++) memory[m][i] = ((i * 7919 + m * 104729) % 10007) / 1000.0 - 5;
        spread(n, memory[0], memory[1], memory[2]);
        uint64_t sum = 0, cell;
        for (int i = 0; i < 4000; i++) memcpy(&cell, &memory[0][i], sizeof cell), sum = sum * 31 + cell;
        printf("%d %016llx\n", n, (unsigned long long)sum);
    }
    return 0;
}
