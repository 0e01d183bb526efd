// Many products of small matrices of constant size, of which LLVM has unrolled one, two or all three loops; what looks like one and is none stays what it is.
// RUN: %clang -O3 -march=native -w %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -mllvm -loopwright-policy=random -mllvm -loopwright-seed=8 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O2 -march=native -w -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -ffp-contract=off %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=skylake-avx512 -w -c %s -o %t.o -Rpass=loopwright -Rpass-missed=loopwright 2>&1 | %FileCheck %s
// What sums start with in the registers of kernels is not saved again as a loop in lanes: nothing here is thousands of times as fast.
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=emeraldrapids -w -c %s -o %t.o -Rpass=loopwright 2>&1 | %FileCheck %s --check-prefix=ONCE --implicit-check-not='predicted {{[0-9][0-9][0-9][0-9]}}'
// ONCE: remark: {{.*}}register tile
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define KERNEL __attribute__((noinline)) static void
#define LOOP(i, n) for (int i = 0; i < n; i++)

static _Alignas(64) unsigned char memory[3][1 << 16];

// Four of a size: added to, set to zero in memory or in a register, and with no overlap.
#define SIZE(name, T, R, D, S)                                                                                                    \
    KERNEL name##_add(int count, T (*C)[R][S], T (*A)[R][D], T (*B)[D][S]) {                                                      \
        LOOP(b, count) LOOP(i, R) LOOP(j, S) LOOP(k, D) C[b][i][j] += A[b][i][k] * B[b][k][j];                                    \
    }                                                                                                                             \
    KERNEL name##_zero(int count, T (*C)[R][S], T (*A)[R][D], T (*B)[D][S]) {                                                     \
        LOOP(b, count) LOOP(i, R) LOOP(j, S) {                                                                                    \
            C[b][i][j] = 0;                                                                                                       \
            LOOP(k, D) C[b][i][j] += A[b][i][k] * B[b][k][j];                                                                     \
        }                                                                                                                         \
    }                                                                                                                             \
    KERNEL name##_sum(int count, T (*C)[R][S], T (*A)[R][D], T (*B)[D][S]) {                                                      \
        LOOP(b, count) LOOP(i, R) LOOP(j, S) {                                                                                    \
            T sum = 3;                                                                                                            \
            LOOP(k, D) sum += A[b][i][k] * B[b][k][j];                                                                            \
            C[b][i][j] = sum;                                                                                                     \
        }                                                                                                                         \
    }                                                                                                                             \
    KERNEL name##_apart(int count, T (*restrict C)[R][S], T (*restrict A)[R][D], T (*restrict B)[D][S]) {                         \
        LOOP(b, count) LOOP(i, R) LOOP(j, S) {                                                                                    \
            T sum = -0.0;                                                                                                         \
            LOOP(k, D) sum -= A[b][i][k] * B[b][k][j];                                                                            \
            C[b][i][j] = sum;                                                                                                     \
        }                                                                                                                         \
    }

SIZE(d3, double, 3, 3, 3)
// CHECK-DAG: small_batches.c:[[#@LINE+1]]:{{.*}}register tile 4x4
SIZE(d4, double, 4, 4, 4)
SIZE(d5, double, 5, 5, 5)
SIZE(d6, double, 6, 6, 6)
SIZE(d7, double, 7, 7, 7)
// CHECK-DAG: small_batches.c:[[#@LINE+1]]:{{.*}}register tile 8x8
SIZE(d8, double, 8, 8, 8)
SIZE(d9, double, 9, 9, 9)
SIZE(d12, double, 12, 12, 12)
SIZE(d438, double, 4, 3, 8)
SIZE(d284, double, 2, 8, 4)
SIZE(d654, double, 6, 5, 4)
SIZE(f3, float, 3, 3, 3)
SIZE(f4, float, 4, 4, 4)
SIZE(f6, float, 6, 6, 6)
SIZE(f8, float, 8, 8, 8)
SIZE(f16, float, 16, 16, 16)
SIZE(f447, float, 4, 4, 7)
SIZE(u4, unsigned, 4, 4, 4)
SIZE(u8, unsigned, 8, 8, 8)
SIZE(s4, short, 4, 4, 4)
SIZE(l5, long, 5, 4, 5)

// One matrix and many vectors.
KERNEL points(int n, float (*out)[4], float (*M)[4], float (*in)[4]) {
    LOOP(p, n) LOOP(i, 4) {
        out[p][i] = 0;
        LOOP(j, 4) out[p][i] += M[i][j] * in[p][j];
    }
}

KERNEL points_in_registers(int n, float (*out)[4], float (*M)[4], float (*in)[4]) {
    LOOP(p, n) LOOP(i, 4) {
        float sum = M[i][3];
        LOOP(j, 3) sum += M[i][j] * in[p][j];
        out[p][i] = sum;
    }
}

// What the first term is added to is not what was stored, or not in that cell, or something reads it in between.
KERNEL other_start(int n, double (*C)[6][6], double (*A)[6][6], double (*B)[6][6]) {
    LOOP(b, n) LOOP(i, 6) LOOP(j, 6) {
        C[b][i][j] = 0;
        double sum = 1;
        LOOP(k, 6) sum += A[b][i][k] * B[b][k][j];
        C[b][i][j] = sum;
    }
}

KERNEL start_of_a_neighbour(int n, double (*C)[8][8], double (*A)[8][8], double (*B)[8][8]) {
    LOOP(b, n) LOOP(i, 7) LOOP(j, 8) {
        C[b][i + 1][j] = 0;
        LOOP(k, 8) C[b][i][j] += A[b][i][k] * B[b][k][j];
    }
}

KERNEL read_in_between(int n, double (*C)[8][8], double (*A)[8][8], double (*B)[8][8], double *first) {
    LOOP(b, n) LOOP(i, 8) LOOP(j, 8) {
        C[b][i][j] = 2;
        first[b] = C[b][i][(j + 3) & 7];
        LOOP(k, 8) C[b][i][j] += A[b][i][k] * B[b][k][j];
    }
}

KERNEL some_cells(int n, double (*C)[8][8], double (*A)[8][8], double (*B)[8][8]) {
    LOOP(b, n) LOOP(i, 8) LOOP(j, 8) C[b][i][j] = 0.5;
    LOOP(b, n) LOOP(i, 7) LOOP(j, 8) LOOP(k, 8) C[b][i][j] += A[b][i][k] * B[b][k][j];
}

KERNEL more_cells(int n, double (*C)[8][8], double (*A)[8][8], double (*B)[8][8]) {
    LOOP(b, n - 1) LOOP(i, 8) LOOP(j, 8) C[b][i][j] = 0.5;
    LOOP(b, n) LOOP(i, 8) LOOP(j, 8) LOOP(k, 8) C[b][i][j] += A[b][i][k] * B[b][k][j];
}

// One matrix for all products: cells that are set and added to again and again.
KERNEL same_cells(int n, double (*C)[8], double (*A)[8][8], double (*B)[8][8]) {
    LOOP(b, n) LOOP(i, 8) LOOP(j, 8) {
        C[i][j] = b;
        LOOP(k, 8) C[i][j] += A[b][i][k] * B[b][k][j];
    }
}

// Unrolled by hand, in blocks, steps that are no box, and an odd one among them.
KERNEL by_hand(int n, double (*C)[8], double (*A)[8], double (*B)[8]) {
    LOOP(i, n) {
        C[i][0] = A[i][0] * B[0][0] + A[i][1] * B[1][0] + A[i][2] * B[2][0] + A[i][3] * B[3][0];
        C[i][1] = A[i][0] * B[0][1] + A[i][1] * B[1][1] + A[i][2] * B[2][1] + A[i][3] * B[3][1];
        C[i][2] = A[i][0] * B[0][2] + A[i][1] * B[1][2] + A[i][2] * B[2][2] + A[i][3] * B[3][2];
        C[i][4] = A[i][0] * B[0][3] + A[i][1] * B[1][3] + A[i][2] * B[2][3] + A[i][3] * B[3][3];
        C[i][3] = A[i][0] * B[0][4] + A[i][1] * B[1][4] + A[i][2] * B[2][4] + A[i][3] * B[3][4];
        C[i][5] = A[i][0] * B[0][5] + A[i][1] * B[1][5] + A[i][2] * B[2][5] - A[i][3] * B[3][5];
        C[i][6] = A[i][0] * B[0][6] + A[i][1] * B[1][6] + A[i][2] * B[2][6] + A[i][3] * B[3][6];
    }
}

// Each row needs the one before, in the same block.
KERNEL in_a_row(int n, double (*C)[6][6], double (*B)[6][6]) {
    LOOP(b, n) LOOP(i, 5) LOOP(j, 6) {
        double sum = 0;
        LOOP(k, 6) sum += C[b][i][k] * B[b][k][j];
        C[b][i + 1][j] = sum;
    }
}

static uint64_t hash(void) {
    const unsigned char *p = (void *)memory;
    uint64_t h = 1;
    for (size_t i = 0; i < sizeof memory; i++) h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

#define FILL(T)                                                                                                                   \
    LOOP(m, 3) LOOP(i, (int)(sizeof memory[0] / sizeof(T))) {                                                                     \
        ((T *)memory[m])[i] = (T)((i * 7 + m * 5) % 23) / (T)3 - (T)2;                                                            \
    }

#define SHOW(what) printf("%s %016llx\n", what, (unsigned long long)hash())

#define RUN(name, T)                                                                                                              \
    FILL(T) LOOP(n, 6) name(n, (void *)memory[0], (void *)memory[1], (void *)memory[2]);                                          \
    SHOW(#name);

// Apart for all, the same and overlapping ones for those that may.
#define RUN_SIZE(name, T)                                                                                                         \
    RUN(name##_add, T) RUN(name##_zero, T) RUN(name##_sum, T) RUN(name##_apart, T)                                                \
    FILL(T) name##_add(5, (void *)memory[0], (void *)memory[0], (void *)memory[1]), SHOW("one is stored");                        \
    name##_zero(5, (void *)memory[1], (void *)(memory[1] + 2 * sizeof(T)), (void *)memory[2]), SHOW("overlapping");               \
    name##_sum(5, (void *)memory[2], (void *)memory[1], (void *)(memory[2] + 40 * sizeof(T))), SHOW("further on");

int main(void) {
    RUN_SIZE(d3, double) RUN_SIZE(d4, double) RUN_SIZE(d5, double) RUN_SIZE(d6, double) RUN_SIZE(d7, double)
    RUN_SIZE(d8, double) RUN_SIZE(d9, double) RUN_SIZE(d12, double) RUN_SIZE(d438, double) RUN_SIZE(d284, double)
    RUN_SIZE(d654, double) RUN_SIZE(f3, float) RUN_SIZE(f4, float) RUN_SIZE(f6, float) RUN_SIZE(f8, float)
    RUN_SIZE(f16, float) RUN_SIZE(f447, float) RUN_SIZE(u4, unsigned) RUN_SIZE(u8, unsigned) RUN_SIZE(s4, short)
    RUN_SIZE(l5, long)
    RUN(points, float) RUN(points_in_registers, float)
    FILL(float) points(100, (void *)memory[0], (void *)(memory[0] + 160), (void *)memory[1]), SHOW("a matrix among the points");
    RUN(other_start, double) RUN(start_of_a_neighbour, double) RUN(some_cells, double) RUN(more_cells, double)
    RUN(same_cells, double) RUN(by_hand, double)
    FILL(double) LOOP(n, 6) in_a_row(n, (void *)memory[0], (void *)memory[1]);
    SHOW("in a row");
    FILL(double) LOOP(n, 6) read_in_between(n, (void *)memory[0], (void *)memory[1], (void *)memory[2], (void *)(memory[0] + 60000));
    SHOW("read in between");
    return 0;
}
