// Where products may be fused with sums, a product that two sums use is not: nor when each of the sums gets a loop and a product of its own.
// RUN: %clang -O3 -march=native -ffp-contract=fast -w %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=fast -w %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=fast -w -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=fast -w -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 70 };
static double A[N][N], B[N][N], C[N][N], D[N][N];

__attribute__((noinline)) static void two_sums(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                double t = A[i][k] * B[k][j];
                C[i][j] += t;
                D[i][j] -= t;
            }
}

__attribute__((noinline)) static void one_sum(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
}

__attribute__((noinline)) static void kept(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            D[i][j] = A[i][j] * B[i][j];
            C[i][j] += D[i][j];
        }
}

static void show(const char *name, int n) {
    uint64_t h = 1, x;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            memcpy(&x, &C[i][j], 8), h = (h ^ x) * 0x100000001b3u;
            memcpy(&x, &D[i][j], 8), h = (h ^ x) * 0x100000001b3u;
        }
    printf("%s %d: %016lx\n", name, n, (unsigned long)h);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) A[i][j] = 1.0 / (i + j + 1), B[i][j] = 1.0 / (3 * i + j + 2), C[i][j] = i * 0.1, D[i][j] = j * 0.3;
}

int main(void) {
    show("start", 0);
    for (int n = 1; n <= N; n += n < 10 ? 1 : 12) {
        two_sums(n), show("two sums", n);
        one_sum(n), show("one sum", n);
        kept(n), show("kept", n);
    }
}
