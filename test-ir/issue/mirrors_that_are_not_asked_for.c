// Factorisations in arrays of so few cells that mirrors never pay: their code was made as if the sizes from which they do were known in it, which left nothing that can be.
// RUN: %clang -O2 -w %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O2 -w %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O2 -w -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -march=native -w %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
#include <math.h>
#include <stdio.h>

enum { ROWS = 44, COLUMNS = 42 };

__attribute__((noinline)) void bytes(unsigned long k, unsigned char (*a)[COLUMNS]) {
    for (unsigned long i = 0; i < k; i++) {
        for (unsigned long j = 0; j < i; j++) {
            for (unsigned long l = 0; l < j; l++) a[i][j + 2] += a[i][l + 2] * a[j][l + 2];
            a[i][j + 2] *= a[j][j + 2];
        }
        for (unsigned long j = 0; j < i; j++) a[i][i + 2] += a[i][j + 2] * a[i][j + 2];
    }
}

__attribute__((noinline)) void floats(unsigned k, float (*a)[COLUMNS]) {
    for (unsigned p = 0; p < k; p++) {
        a[p][p] = (float)sqrt(fabs(a[p][p]));
        for (unsigned i = p + 1; i < k; i++) a[i][p] /= a[p][p];
        for (unsigned i = p + 1; i < k; i++)
            for (unsigned j = p + 1; j < i + 1; j++) a[i][j] -= a[i][p] * a[j][p] * 0.5f;
    }
}

static unsigned char x[ROWS][COLUMNS];
static float y[ROWS][COLUMNS];

int main(void) {
    for (unsigned k = 0; k <= 40; k++) {
        unsigned long seed = 1, h = 1;
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) {
                seed = seed * 1103515245 + 12345;
                x[i][j] = (unsigned char)(seed >> 16);
                y[i][j] = (float)(i == j ? 50 : (seed >> 16) % 7);
            }
        bytes(k, x);
        floats(k, y);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) {
                union { float f; unsigned u; } bits = {y[i][j]};
                h = (h * 31 + x[i][j]) * 31 + bits.u;
            }
        printf("%u %lx\n", k, h);
    }
}
