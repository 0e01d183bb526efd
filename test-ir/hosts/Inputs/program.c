// A small program whose loops can be transformed; prints a hash of all it computes.
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static
enum { N = 61 };
static double A[N][N], B[N][N], C[N][N], x[N];
static int T[N][N];

KERNEL void product(int n, double (*c)[N], double (*a)[N], double (*b)[N]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}

KERNEL void add_columns(int n, double *a, const double *b) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) a[i * N + j] += b[i * N + j];
}

KERNEL void seidel(int n, double (*a)[N]) {
    for (int t = 0; t < 5; t++)
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++) a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j]) * 0.2;
}

KERNEL void solve(int n, double (*l)[N], double *y) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) y[i] -= l[i][j] * y[j] * 0.125;
        y[i] = y[i] / (4.0 + l[i][i]);
    }
}

KERNEL void counts(int n, int (*t)[N]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) t[i][j] = (t[i][j] ^ (i * 3)) + j;
}

__attribute__((noinline, optnone)) static void left_alone(int n, double (*a)[N]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) a[i][j] += 1.0;
}

static unsigned long h = 1;
static void hash(const void *p, unsigned long n) {
    for (unsigned long i = 0; i < n; i++) h = (h ^ ((const unsigned char *)p)[i]) * 0x100000001b3u;
}

int main(int count, char **arguments) {
    (void)arguments;
    int n = N - 1 + count;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A[i][j] = (i * 7 + j * 3) % 11 * 0.5 + 1.0;
            B[i][j] = (i * 5 + j * 13) % 17 * 0.25;
            T[i][j] = i * j % 19;
        }
    for (int i = 0; i < N; i++) x[i] = i % 5;
    for (int m = n; m > n - 20; m -= 7) {
        product(m, C, A, B);
        add_columns(m, &A[0][0], &C[0][0]);
        seidel(m, A);
        solve(m, B, x);
        counts(m, T);
        left_alone(m, B);
    }
    hash(A, sizeof A), hash(B, sizeof B), hash(C, sizeof C), hash(x, sizeof x), hash(T, sizeof T);
    printf("%016lx\n", h);
    return 0;
}
