// Memory of our own that nobody reads is not there: old values that are kept while their cells are overwritten, in tiles of loops that are repeated. Where another iteration reads them it stays.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass-analysis=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=7 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=MEMORY
#include "hash.h"
#include <stdio.h>

#define N 32000
#define KERNEL __attribute__((noinline)) static

static double a[N], b[N], c[N], d[N], e[N];

// CHECK: contracted.c:[[#@LINE+5]]:5: remark: for {{.*}}// tile
// CHECK: hold r[[#]] = M[[#]][{{.*}}] {
// MEMORY-LABEL: @repeated(
// MEMORY-NOT: @malloc
KERNEL void repeated(int times) {
    for (int t = 0; t < times; t++)
        for (int i = 0; i < N; i++) {
            double x = b[i] * c[i] + a[i] * d[i] + e[i];
            a[i] = x - 1.0;
            b[i] = x;
        }
}

// MEMORY-LABEL: @before(
KERNEL double before(int times, int n) {
    double last = 0;
    for (int t = 0; t < times; t++) {
        double x = e[t];
        for (int i = 0; i < n; i++) {
            double old = a[i];
            a[i] = b[i] * c[i] + x;
            b[i] = old * d[i];
            x = old;
        }
        last += x;
    }
    return last;
}

int main(void) {
    for (int times = 0; times < 9; times += 3) {
        for (int i = 0; i < N; i++) a[i] = i % 7, b[i] = i % 5 - 2, c[i] = 0.5 - i % 3, d[i] = 0.25 * (i % 2), e[i] = i % 11;
        repeated(times);
        printf("%d %016llx %016llx", times, hash(1, a, sizeof a), hash(1, b, sizeof b));
        for (int n = 1; n < 400; n += n < 4 ? 1 : 61) printf(" %g", before(times, n));
        printf(" %016llx %016llx\n", hash(1, a, sizeof a), hash(1, b, sizeof b));
    }
}
