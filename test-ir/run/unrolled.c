// Products of matrices of small constant sizes, whose innermost loop LLVM has unrolled entirely, have kernels all the same; and what only looks like one is left alone.
// RUN: %clang -O3 -march=native -w %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O2 -march=native -w -mllvm -loopwright-policy=random -mllvm -loopwright-seed=8 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -mllvm -loopwright-policy=random -mllvm -loopwright-seed=11 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -march=native -ffp-contract=fast -w %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=fast -w -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -ffp-contract=off -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=skylake-avx512 -w -c %s -o %t.o -Rpass=loopwright -Rpass-missed=loopwright 2>&1 | %FileCheck %s
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define KERNEL __attribute__((noinline)) static void
#define LOOP(i, n) for (int i = 0; i < n; i++)

static double A[40][40], B[40][40], C[40][40];
static float F[40][40], G[40][40], H[40][40];
static unsigned I[40][40], J[40][40], K[40][40];
static double stack[6][16][16], row[64];

// The stores stay: the matrices may overlap.
// CHECK: unrolled.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL overlapping(double (*C)[16], double (*A)[16], double (*B)[16]) {
    LOOP(i, 16) LOOP(j, 16) LOOP(k, 16) C[i][j] += A[i][k] * B[k][j];
}

// One statement with forty-nine reads.
// CHECK: unrolled.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL one_statement(double (*restrict C)[24], double (*restrict A)[24], double (*restrict B)[24]) {
    LOOP(i, 24) LOOP(j, 24) LOOP(k, 24) C[i][j] -= A[i][k] * B[k][j];
}

// The sum starts with zero.
// CHECK: unrolled.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL from_zero(void) {
    LOOP(i, 20) LOOP(j, 33) {
        double sum = 0;
        LOOP(k, 28) sum += A[i][k] * B[k][j];
        C[i][j] = sum;
    }
}

// CHECK: unrolled.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL floats(int n) {
    LOOP(i, n) LOOP(j, n) {
        float sum = H[i][j];
        LOOP(k, 31) sum = sum - F[i][k] * G[k][j];
        H[i][j] = sum;
    }
}

// CHECK: unrolled.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL integers(void) {
    LOOP(i, 40) LOOP(j, 40) {
        unsigned sum = 7;
        LOOP(k, 17) sum += I[i][k] * J[k][j];
        K[i][j] = sum;
    }
}

KERNEL transposed(void) {
    LOOP(i, 36) LOOP(j, 36) {
        double sum = 1;
        LOOP(k, 36) sum += A[i][k] * B[j][k];
        C[i][j] = sum;
    }
}

KERNEL batch(int count) {
    LOOP(b, count) LOOP(i, 16) LOOP(j, 16) {
        double sum = 0;
        LOOP(k, 16) sum += A[i][k] * B[k][j + b];
        stack[b][i][j] = sum;
    }
}

// Terms that differ, and operands of the stored array.
KERNEL own_rows(void) {
    LOOP(i, 24) LOOP(j, 24) LOOP(k, 24) C[i][j] += C[i][k] * B[k][j];
}

KERNEL with_diagonal(void) {
    LOOP(i, 16) LOOP(j, 16) {
        double sum = C[i][j];
        LOOP(k, 16) sum += A[i][k] * B[k][j];
        C[i][j] = sum * C[j][i];
    }
}

KERNEL odd_terms(void) {
    LOOP(i, 24) LOOP(j, 24) {
        double sum = 0;
        LOOP(k, 8) sum += A[i][k * k % 5] * B[k][j];
        LOOP(k, 8) sum += A[i][k] - B[k * 2][j];
        LOOP(k, 8) sum += B[k][j] * A[i][k + 8];
        C[i][j] = sum;
    }
}

KERNEL filter(void) {
    LOOP(i, 30) LOOP(j, 30) {
        double sum = 0;
        LOOP(p, 3) LOOP(q, 3) sum += A[i + p][j + q] * B[p][q];
        C[i][j] = sum;
    }
}

KERNEL vector(void) {
    LOOP(i, 40) {
        double sum = 0;
        LOOP(k, 32) sum += A[i][k] * row[k];
        row[i + 20] = sum;
    }
}

static uint64_t hash(const void *data, size_t bytes) {
    const unsigned char *p = data;
    uint64_t h = 1;
    for (size_t i = 0; i < bytes; i++) h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

static void show(const char *name) {
    printf("%s %016llx %016llx %016llx %016llx %016llx\n", name, (unsigned long long)hash(C, sizeof C), (unsigned long long)hash(H, sizeof H),
           (unsigned long long)hash(K, sizeof K), (unsigned long long)hash(stack, sizeof stack), (unsigned long long)hash(row, sizeof row));
    LOOP(i, 40) LOOP(j, 40) {
        int n = i * 40 + j;
        A[i][j] = n % 13 * 0.37 - 1, B[i][j] = n % 17 * 0.21 - 1, C[i][j] = n % 7 * 0.3;
        F[i][j] = n % 11 * 0.37f - 1, G[i][j] = n % 19 * 0.21f - 1, H[i][j] = n % 5 * 0.3f;
        I[i][j] = n * 2654435761u, J[i][j] = n * 40503u, K[i][j] = n;
    }
    LOOP(i, 64) row[i] = i * 0.11;
}

int main(void) {
    show("start");
    // Matrices apart, the same ones, and overlapping ones.
    overlapping((void *)C, (void *)A, (void *)B), show("apart");
    overlapping((void *)C, (void *)C, (void *)B), show("the same");
    overlapping((void *)C, (void *)A, (void *)(&C[0][0] + 40)), show("overlapping");
    one_statement((void *)C, (void *)A, (void *)B), show("one statement");
    from_zero(), show("from zero");
    for (int n = 0; n <= 40; n += 1 + n / 3) floats(n), show("floats");
    integers(), show("integers");
    transposed(), show("transposed");
    for (int n = 0; n <= 6; n++) batch(n), show("batch");
    own_rows(), show("own rows");
    with_diagonal(), show("with diagonal");
    odd_terms(), show("odd terms");
    filter(), show("filter");
    vector(), show("vector");
    return 0;
}
