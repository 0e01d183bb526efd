// Sums of a known number of terms between loops of unknown length: LLVM has unrolled the loop over the terms, or that and those around it. Products, distances, triangles, filters, bytes; behind memory that nobody may touch.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=5 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver4 -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=haswell -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s --check-prefix=SHORT
// REQUIRES: x86-64-v3
#include "hash.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define KERNEL __attribute__((noinline)) static void
#define LOOP(i, from, n) for (int i = from; i < n; i++)

// The rows of the second matrix are no loop any more.
// CHECK-DAG: known_terms.c:[[#@LINE+3]]:{{.*}}register tile
// SHORT-DAG: known_terms.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL product(int n, int m, double (*restrict a)[16], double (*restrict b)[m], double (*restrict c)[m]) {
    LOOP(i, 0, n) LOOP(j, 0, m) {
        double sum = 0;
        LOOP(k, 0, 16) sum += a[i][k] * b[k][j];
        c[i][j] = sum;
    }
}

// Too few terms for kernels, and what is said of tiles holds for long rows only.
// CHECK-DAG: known_terms.c:[[#@LINE+2]]:{{.*}}remark: tiled 256; predicted
KERNEL few_terms(int n, int m, double (*restrict a)[4], double (*restrict b)[m], double (*restrict c)[m]) {
    LOOP(i, 0, n) LOOP(j, 0, m) {
        double sum = 0;
        LOOP(k, 0, 4) sum += a[i][k] * b[k][j];
        c[i][j] = sum;
    }
}

// Lanes of unrolled sums have all operands of a row in registers, if these suffice: on the one machine they do.
// CHECK-DAG: known_terms.c:[[#@LINE+3]]:{{.*}}loops in 8 lanes
// SHORT-DAG: known_terms.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL distances(int n, double (*restrict x)[16], double (*restrict d)[n]) {
    LOOP(i, 0, n) LOOP(j, 0, n) {
        double sum = 0;
        LOOP(k, 0, 16) sum += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k]);
        d[i][j] = sum;
    }
}

// CHECK-DAG: known_terms.c:[[#@LINE+3]]:{{.*}}register tile
// SHORT-DAG: known_terms.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL many_terms(int n, double (*restrict x)[40], double (*restrict d)[n]) {
    LOOP(i, 0, n) LOOP(j, 0, n) {
        double sum = 0;
        LOOP(k, 0, 40) sum += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k]);
        d[i][j] = sum;
    }
}

// Each pair once, also one behind the other.
// CHECK-DAG: known_terms.c:[[#@LINE+3]]:{{.*}}register tile
// SHORT-DAG: known_terms.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL pairs(int n, float (*restrict x)[12], float (*restrict d)[n]) {
    LOOP(i, 0, n) LOOP(j, i + 1, n) {
        float sum = 0;
        LOOP(k, 0, 12) sum += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k]);
        d[i][j] = sum;
    }
}

// CHECK-DAG: known_terms.c:[[#@LINE+3]]:{{.*}}register tile
// SHORT-DAG: known_terms.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL packed_pairs(int n, const double *restrict x, double *restrict out) {
    LOOP(i, 0, n) LOOP(j, i + 1, n) {
        double sum = 0;
        LOOP(k, 0, 24) sum += (x[i * 24 + k] - x[j * 24 + k]) * (x[i * 24 + k] - x[j * 24 + k]);
        *out++ = sum;
    }
}

// Forty-nine terms in two loops.
// CHECK-DAG: known_terms.c:[[#@LINE+2]]:{{.*}}register tile
KERNEL filter(int n, int m, float (*restrict in)[m + 6], float f[restrict 7][7], float (*restrict out)[m]) {
    LOOP(i, 0, n) LOOP(j, 0, m) {
        float sum = 0;
        LOOP(p, 0, 7) LOOP(q, 0, 7) sum += in[i + p][j + q] * f[p][q];
        out[i][j] = sum;
    }
}

// Points of 64 channels are rows, and so are those of the filters, whose loops over points are gone.
// CHECK-DAG: known_terms.c:[[#@LINE+2]]:{{.*}}narrow integers in groups
KERNEL channels(int n, int m, int32_t (*restrict out)[m][32], uint8_t (*restrict in)[m + 1][64], int8_t f[restrict 32][2][2][64]) {
    LOOP(y, 0, n) LOOP(x, 0, m) LOOP(o, 0, 32) {
        int32_t sum = 0;
        LOOP(p, 0, 2) LOOP(q, 0, 2) LOOP(k, 0, 64) sum += in[y + p][x + q][k] * f[o][p][q][k];
        out[y][x][o] = sum;
    }
}

// The size is cut to 32 bits and extended again: a factor of `2^32` in a product that is shifted back.
static inline void solve(int n, const double *restrict a, double *restrict b) {
    LOOP(j, 0, n)
        for (int i = n - 1; i >= 0; i--) {
            b[j * n + i] /= a[i * n + i];
            LOOP(k, 0, i) b[j * n + k] -= b[j * n + i] * a[k * n + i];
        }
}
// CHECK-DAG: known_terms.c:[[#@LINE-6]]:{{.*}}register tile
// SHORT-DAG: known_terms.c:[[#@LINE-7]]:{{.*}}register tile
KERNEL cut_size(long n, const double *a, double *b) { solve((int)n, a, b); }

// So many bytes in front of memory that nobody may touch.
static void *fenced(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), all = (bytes + page - 1) / page * page + page;
    char *p = mmap(0, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p + all - page, page, PROT_NONE);
    return p + all - page - (bytes + 7) / 8 * 8;
}

static void *doubles(int count) {
    double *p = fenced(count * sizeof(double));
    LOOP(k, 0, count) p[k] = (k * 37 % 101 + 1) / 64.0;
    return p;
}

static void *floats(int count) {
    float *p = fenced(count * sizeof(float));
    LOOP(k, 0, count) p[k] = (k * 37 % 101 + 1) / 64.0f;
    return p;
}

static void *bytes(int count) {
    uint8_t *p = fenced(count);
    LOOP(k, 0, count) p[k] = k * 37 % 255;
    return p;
}

static void show(const char *name, int n, int m, const void *p, size_t bytes) {
    printf("%s %d %d %016llx\n", name, n, m, (unsigned long long)hash(1, p, (bytes + 7) / 8 * 8));
}

int main(void) {
    static const int sizes[] = {0, 1, 2, 5, 8, 13, 16, 23, 33, 40, 64, 77};
    LOOP(s, 0, (int)(sizeof sizes / sizeof *sizes)) LOOP(t, 0, 2) {
        int n = sizes[s], m = t ? sizes[11 - s] : n;
        double *c = doubles(n * m);
        product(n, m, doubles(n * 16), doubles(16 * m), (void *)c);
        show("product", n, m, c, n * m * 8);
        few_terms(n, m, doubles(n * 4), doubles(4 * m), (void *)c);
        show("few_terms", n, m, c, n * m * 8);
        float *out = floats(n * m);
        filter(n, m, floats((n + 6) * (m + 6)), floats(49), (void *)out);
        show("filter", n, m, out, n * m * 4);
        int32_t *sums = floats(n * m * 32);
        channels(n, m, (void *)sums, bytes((n + 1) * (m + 1) * 64), bytes(32 * 4 * 64));
        show("channels", n, m, sums, n * m * 32 * 4);
        if (t) continue;
        distances(n, doubles(n * 16), (void *)c);
        show("distances", n, n, c, n * n * 8);
        many_terms(n, doubles(n * 40), (void *)c);
        show("many_terms", n, n, c, n * n * 8);
        pairs(n, floats(n * 12), (void *)out);
        show("pairs", n, n, out, n * n * 4);
        int many = n * (n - 1) / 2;
        double *packed = doubles(many);
        packed_pairs(n, doubles(n * 24), packed);
        show("packed_pairs", n, n, packed, many * 8);
        cut_size(n, doubles(n * n), c);
        show("cut_size", n, n, c, n * n * 8);
    }
    double *c = doubles(3 * 1500);
    few_terms(3, 1500, doubles(3 * 4), doubles(4 * 1500), (void *)c);
    show("few_terms", 3, 1500, c, 3 * 1500 * 8);
}
