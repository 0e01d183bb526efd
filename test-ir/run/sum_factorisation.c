// Operators of finite elements by sums over one direction at a time, of constant sizes: LLVM unrolls the sums and takes loads out of loops twice, so that phis bring one value on both ways; arrays that were
// loops become statements side by side, and nests that start in the registers of kernels.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=5 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <stdio.h>

#define N 7
#define LOOP(i, n) for (int i = 0; i < n; i++)

// Interpolate, weigh, go back.
#define MASS(name, T, D, Q)                                                                                                       \
    __attribute__((noinline)) static void name(int n, T Y[n][D][D][D], T X[n][D][D][D], T W[n][Q][Q][Q], T B[Q][D]) {             \
        LOOP(e, n) {                                                                                                              \
            T a[D][D][Q], b[D][Q][Q], c[Q][Q][Q], d[Q][Q][D], f[Q][D][D];                                                         \
            LOOP(z, D) LOOP(y, D) LOOP(q, Q) { T s = 0; LOOP(x, D) s += B[q][x] * X[e][z][y][x]; a[z][y][q] = s; }                \
            LOOP(z, D) LOOP(p, Q) LOOP(q, Q) { T s = 0; LOOP(y, D) s += B[p][y] * a[z][y][q]; b[z][p][q] = s; }                   \
            LOOP(r, Q) LOOP(p, Q) LOOP(q, Q) { T s = 0; LOOP(z, D) s += B[r][z] * b[z][p][q]; c[r][p][q] = s * W[e][r][p][q]; }   \
            LOOP(r, Q) LOOP(p, Q) LOOP(x, D) { T s = 0; LOOP(q, Q) s += B[q][x] * c[r][p][q]; d[r][p][x] = s; }                   \
            LOOP(r, Q) LOOP(y, D) LOOP(x, D) { T s = 0; LOOP(p, Q) s += B[p][y] * d[r][p][x]; f[r][y][x] = s; }                   \
            LOOP(z, D) LOOP(y, D) LOOP(x, D) { T s = 0; LOOP(r, Q) s += B[r][z] * f[r][y][x]; Y[e][z][y][x] += s; }               \
        }                                                                                                                         \
    }

MASS(mass_4_5, double, 4, 5)
MASS(mass_4_4, double, 4, 4)
// CHECK: sum_factorisation.c:[[#@LINE+1]]:1: remark: {{.*}}register tile
MASS(mass_6_7, double, 6, 7)
// CHECK: sum_factorisation.c:[[#@LINE+1]]:1: remark: {{.*}}register tile
MASS(mass_8_8, double, 8, 8)
MASS(floats_3_4, float, 3, 4)
MASS(floats_8_8, float, 8, 8)

#define RUN(name, T, D, Q)                                                                                                        \
    {                                                                                                                             \
        static T Y[N * D * D * D], X[N * D * D * D], W[N * Q * Q * Q], B[Q * D];                                                  \
        LOOP(i, N * D * D * D) Y[i] = (i * 7 + 1) % 11 / (T)8 - (T)0.5, X[i] = (i * 5 + 2) % 13 / (T)4 - 1;                       \
        LOOP(i, N * Q * Q * Q) W[i] = (i * 3 + 1) % 7 / (T)2;                                                                     \
        LOOP(i, Q * D) B[i] = (i * 11 + 5) % 9 / (T)16 - (T)0.25;                                                                 \
        for (int n = 0; n <= N; n += n ? 5 : 1) name(n, (void *)Y, (void *)X, (void *)W, (void *)B);                              \
        printf(#name " %016llx\n", (unsigned long long)hash(1, Y, sizeof Y));                                                     \
    }

int main(void) {
    RUN(mass_4_5, double, 4, 5)
    RUN(mass_4_4, double, 4, 4)
    RUN(mass_6_7, double, 6, 7)
    RUN(mass_8_8, double, 8, 8)
    RUN(floats_3_4, float, 3, 4)
    RUN(floats_8_8, float, 8, 8)
}
