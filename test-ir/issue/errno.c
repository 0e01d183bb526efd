// Calls that set errno and whose results are not needed, or only for some data, or in a loop that is not run, were not made.
// RUN: %clang -O3 %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 %s -o %t.auto -lm && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force %s -o %t.force -lm && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=kernels %s -o %t.kernels -lm && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -march=native %s -o %t.a.plain -lm && %t.a.plain > %t.a.expected
// RUN: %loopwright-clang -O3 -march=native %s -o %t.a.auto -lm && %t.a.auto > %t.a.out && diff %t.a.expected %t.a.out
// RUN: %loopwright-clang -O3 -march=native -mllvm -loopwright-policy=force %s -o %t.a.force -lm && %t.a.force > %t.a.out && diff %t.a.expected %t.a.out
// RUN: %loopwright-clang -O3 -march=native -mllvm -loopwright-policy=kernels %s -o %t.a.kernels -lm && %t.a.kernels > %t.a.out && diff %t.a.expected %t.a.out
#include <errno.h>
#include <math.h>
#include <stdio.h>

enum { N = 64 };
static double A[N][N], B[N][N], C[N][N], x[N];

__attribute__((noinline)) void unused(int n, double (*restrict a)[N], double (*restrict b)[N], double (*restrict c)[N]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            sqrt(a[i][j]);
            c[i][j] += b[i][j];
        }
}

__attribute__((noinline)) void used_for_some(int n, double (*restrict a)[N], double (*restrict b)[N], double (*restrict c)[N]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double r = sqrt(a[i][j]);
            if (b[i][j] > 0) c[i][j] = r;
        }
}

__attribute__((noinline)) void used_inside(int n, int m, double (*restrict a)[N], double (*restrict b)[N], double *restrict x) {
    for (int i = 0; i < n; i++) {
        double r = sqrt(x[i]);
        for (int j = 0; j < m; j++) a[j][i] += b[j][i] * r;
    }
}

__attribute__((noinline)) double used_behind(int n, double (*restrict a)[N], double (*restrict b)[N], double *restrict x) {
    double last = 0;
    for (int i = 0; i < n; i++) {
        last = exp(x[i]);
        for (int j = 0; j < n; j++) a[j][i] += b[j][i];
    }
    return last;
}

__attribute__((noinline)) void stored(int n, double (*restrict a)[N], double (*restrict c)[N]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) c[i][j] = sqrt(a[i][j]) * 0.5;
}

static void show(double also) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) sum += (A[i][j] == A[i][j] ? A[i][j] : 3) + (C[i][j] == C[i][j] ? C[i][j] : 7) * (i + 1);
    printf("%d %a %a\n", errno, sum, also);
    errno = 0;
}

int main(void) {
    for (int i = 0; i < N; i++) {
        x[i] = -1;
        for (int j = 0; j < N; j++) A[i][j] = -1, B[i][j] = -1, C[i][j] = i + j;
    }
    unused(N, A, B, C), show(0);
    used_for_some(N, A, B, C), show(0);
    used_inside(N, 0, C, B, x), show(0);
    used_inside(N, N, C, B, x), show(0);
    x[3] = 1e6;
    show(used_behind(N, C, B, x));
    stored(N, A, C), show(0);
    return 0;
}
