// Triangular inverses side by side, of a constant size: the loop over the depth began at the lesser of two numbers, as two statements share it, and was
// unrolled as if it began at the larger. Whatever came before was not done.
// RUN: %clang -O3 -march=native %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native %s -o %t.native && %t.native > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
#include <stdio.h>

#define SIZE(N)                                                                                                                             \
    static double X##N[N][N][N], P##N[N][N][N], Q##N[N][N][N], Y##N[N][N][N];                                                               \
    __attribute__((noinline)) void inverses##N(void) {                                                                                      \
        for (int c = 0; c < N; c++)                                                                                                         \
            for (int i = 0; i < N; i++)                                                                                                     \
                for (int j = 0; j < N; j++) {                                                                                               \
                    for (int k = j; k < i; k++) X##N[i][j][c] -= P##N[i][k][c] * X##N[k][j][c];                                             \
                    X##N[i][j][c] *= 0.5;                                                                                                   \
                }                                                                                                                           \
    }                                                                                                                                       \
    __attribute__((noinline)) void updates##N(void) {                                                                                       \
        for (int c = 0; c < N; c++)                                                                                                         \
            for (int i = 0; i < N; i++)                                                                                                     \
                for (int j = 0; j < N; j++) {                                                                                               \
                    for (int k = j; k < i; k++) X##N[i][j][c] -= P##N[k][j][0] * X##N[i][k][c];                                             \
                    Y##N[i][j][c] = X##N[i][j][c] * Q##N[i][j][c] + Y##N[i][j][c];                                                          \
                }                                                                                                                           \
    }                                                                                                                                       \
    __attribute__((noinline)) void between##N(void) {                                                                                       \
        for (int c = 0; c < N; c++)                                                                                                         \
            for (int i = 0; i < N; i++)                                                                                                     \
                for (int j = 0; j < N; j++) {                                                                                               \
                    X##N[i][j][c] *= 0.75;                                                                                                  \
                    for (int k = i + 1; k < j; k++) X##N[i][j][c] -= P##N[k][j][c] * X##N[i][k][c];                                         \
                    X##N[i][j][c] *= Q##N[i][i][c];                                                                                         \
                }                                                                                                                           \
    }                                                                                                                                       \
    static void run##N(void (*kernel)(void)) {                                                                                              \
        for (int i = 0; i < N; i++)                                                                                                         \
            for (int j = 0; j < N; j++)                                                                                                     \
                for (int c = 0; c < N; c++) {                                                                                               \
                    X##N[i][j][c] = (i == j) + (i * 7 + j * 3 + c) % 11 * 0.0625;                                                           \
                    P##N[i][j][c] = (i + j * 5 + c * 3) % 13 * 0.03125;                                                                     \
                    Q##N[i][j][c] = (i * 3 + j + c) % 5 * 0.25;                                                                             \
                    Y##N[i][j][c] = 1.0;                                                                                                    \
                }                                                                                                                           \
        kernel();                                                                                                                           \
        double sum = 0.0;                                                                                                                   \
        for (int i = 0; i < N; i++)                                                                                                         \
            for (int j = 0; j < N; j++)                                                                                                     \
                for (int c = 0; c < N; c++) sum = sum * 0.99 + X##N[i][j][c] + Y##N[i][j][c] * 0.5;                                         \
        printf("%d %a\n", N, sum);                                                                                                          \
    }
SIZE(30)
SIZE(32)
SIZE(39)
SIZE(40)

#define RUN(N) run##N(inverses##N), run##N(updates##N), run##N(between##N)

int main(void) {
    RUN(30), RUN(32), RUN(39), RUN(40);
    return 0;
}
