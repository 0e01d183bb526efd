// Where products may be fused with sums, a product that two sums use is not: nor when each of the sums gets a loop and a product of its own. One that is fused
// stays so when new code could share it between iterations, and in the original code that runs for small sizes: it is not unrolled for them. One that is carried
// to the next iteration is fused in the copies that unrolling makes, and in no others: such loops are left alone. So is a product with a sum with one where there are no
// infinities, which the back end distributes. And so are loops in which LLVM's own passes decide later what stands next to what: vectors that are turned round between product
// and sum, two statements made one vector, products of constants, products that are stored and read again.
// RUN: %clang -O3 -march=native -ffp-contract=fast -w %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=fast -w %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=fast -w -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=fast -w -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -march=native -ffp-contract=fast -fno-honor-infinities -w %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=fast -fno-honor-infinities -w %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -ffp-contract=fast -fno-honor-infinities -w -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 70 };
static double A[N][N], B[N][N], C[N][N], D[N][N], x[N + 1], w = 1.1;

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

__attribute__((noinline)) static void shared_by_columns(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] += A[i][k] * w + B[k][j];
}

__attribute__((noinline)) static void shared_by_all(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] += x[k] * x[k + 1] - A[i][k] * B[k][j];
}

__attribute__((noinline)) static void two_products(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) C[i][j] -= A[i][k] * B[j][k] - A[j][k] * B[i][k];
}

__attribute__((noinline)) static void scaled(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < n; k++) C[i][j] += w * A[i][k] * A[j][k] + B[i][k] * w * B[j][k];
}

// The program's own rounding depends on how often LLVM unrolls the loop: it must stay as it is.
__attribute__((noinline)) static void carried(int n) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            double before = 1, product = 1;
            for (int k = 0; k < n - 1; k++) {
                C[i][k] = x[k] * 0.5 + (A[i][k] - B[k][i]) - before + product;
                product = before * (A[i][k] * 0.125);
                before = C[i][k + 1];
            }
        }
}

__attribute__((noinline)) static void distributed(int n) {
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) C[k][i] = (C[k][i] + 1) * A[k][k];
        for (int i = 0; i < n; i++)
            for (int j = k + 2; j < n; j++) C[j][i] -= C[k][i] * A[k][j];
    }
}

// Some operands walk down through memory, others up.
__attribute__((noinline)) static void turned_round(int n) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = n - 1; j >= 0; j--) C[i][j] += A[i][k] * B[k][n - 1 - j];
}

__attribute__((noinline)) static void sum_and_difference(int n) {
    for (int i = 0; i < n / 2; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) {
                C[j][2 * i] += A[j][k] * B[k][2 * i];
                C[j][2 * i + 1] -= A[j][k] * B[k][2 * i + 1];
            }
}

__attribute__((noinline)) static void conjugate(int n) {
    for (int k = 0; k < n / 2; k++)
        for (int i = 0; i < n / 2; i++)
            for (int j = 0; j < n; j++) {
                double re = A[i][2 * k], im = -A[i][2 * k + 1];
                C[j][2 * i] -= re * B[j][2 * k] - im * B[j][2 * k + 1];
                C[j][2 * i + 1] -= re * B[j][2 * k + 1] + im * B[j][2 * k];
            }
}

__attribute__((noinline)) static void either_product(int n) {
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n / 2; i++)
            for (int j = 1; j < n; j++) {
                C[j][2 * i] = C[j - 1][2 * i] * A[j][2 * i] + x[2 * i] * A[j][1];
                C[j][2 * i + 1] = x[2 * i + 1] * A[j][2] + C[j - 1][2 * i + 1] * A[j][2 * i + 1];
            }
}

__attribute__((noinline)) static void two_chains(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double plus = 0, minus = 0;
            for (int k = 0; k < n / 2; k++) {
                plus += A[i][2 * k] * B[j][2 * k];
                minus -= A[i][2 * k + 1] * B[j][2 * k + 1];
            }
            C[i][j] += plus;
            D[i][j] += minus;
        }
}

__attribute__((noinline)) static void of_constants(int n) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) C[i][j] = i * 0.1 + j * 0.01;
}

__attribute__((noinline)) static void stored(int n) {
    for (int i = 0; i < n; i++)
        for (int k = 1; k < n; k++)
            for (int j = 1; j + 2 < n; j++) {
                C[k][j + 1] += 1;
                C[k][j + 2] *= C[k - 1][j + 2] * 0.125;
            }
}

// Unrolled, half of the copies have no way to `y[i]`: what stands in front of that branch comes into the block of its sum.
__attribute__((noinline)) static void parity(long n, long m, double *y) {
    for (int i = 0; i < n; i += 2)
        for (int j = 0; j < m; j++)
            y[i + j - 1] = y[i] * y[i] + ((i == j + 1 ? y[i] : y[i + j - 2]) - (y[i - 1] * y[i]) * 0.5);
}

static void show(const char *name, int n) {
    uint64_t h = 1, bits;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            memcpy(&bits, &C[i][j], 8), h = (h ^ bits) * 0x100000001b3u;
            memcpy(&bits, &D[i][j], 8), h = (h ^ bits) * 0x100000001b3u;
        }
    printf("%s %d: %016lx\n", name, n, (unsigned long)h);
    for (int i = 0; i <= N; i++) x[i] = 0.37 * i;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) A[i][j] = 1.0 / (i + j + 1), B[i][j] = 1.0 / (3 * i + j + 2), C[i][j] = i * 0.1, D[i][j] = j * 0.3;
}

int main(void) {
    show("start", 0);
    for (int n = 1; n <= N; n += n < 10 ? 1 : 12) {
        two_sums(n), show("two sums", n);
        one_sum(n), show("one sum", n);
        kept(n), show("kept", n);
        shared_by_columns(n), show("shared by columns", n);
        shared_by_all(n), show("shared by all", n);
        two_products(n), show("two products", n);
        scaled(n), show("scaled", n);
        carried(n), show("carried", n);
        distributed(n), show("distributed", n);
        turned_round(n), show("turned round", n);
        sum_and_difference(n), show("sum and difference", n);
        conjugate(n), show("conjugate", n);
        either_product(n), show("either product", n);
        two_chains(n), show("two chains", n);
        of_constants(n), show("of constants", n);
        stored(n), show("stored", n);
        for (int i = 0; i < 2 * N; i++) D[i / N][i % N] = (i * 37 % 1009) / 512.0 - 1;
        parity(n / 2, n, D[0] + 2), show("parity", n);
    }
}
