// Loops of a lower order than the work get vectors, but no more code: they are not interleaved. Short loops do not make work of a higher order.
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -w -Rpass=loop-vectorize -mllvm -loopwright-policy=force -c %s -o %t.o 2>&1 | %FileCheck %s
enum { N = 500 };
double a[N][N], c[N][N], s[N];
int x[N], y[N], p[N][60];

// New loops are where their statements are.
void of_lower_order(void) {
    for (int i = 0; i < N; i++)
        // CHECK: light_loops.c:[[#@LINE+1]]:{{.*}} vectorized loop {{.*}}interleaved count: 1)
        s[i] = a[0][i] * 0.5;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) c[i][j] += s[j] + s[N - 1 - j];
}

void beside_short_loops(void) {
    for (int i = 0; i < N; i++)
        // CHECK: light_loops.c:[[#@LINE+1]]:{{.*}} vectorized loop {{.*}}interleaved count: 4)
        x[i] = y[i] + 1;
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 60; k++) p[i][k] = p[i][k] * 3 + x[i] + x[N - 1 - i];
}
