// Two pointers that change places around the nest: what is disjoint in one iteration of the outer loop is not so from one to the next. LLVM unrolls that loop completely
// once it knows its length, behind us.
// RUN: %clang -O3 -march=native -w %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -Rpass=loopwright %s -o %t.auto 2> %t.remarks && %t.auto > %t.out && diff %t.expected %t.out
// RUN: FileCheck %s < %t.remarks
// RUN: %loopwright-clang -O3 -march=native -w -mllvm -loopwright-policy=force -mllvm -unroll-partial-threshold=200 %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// CHECK: scopes.c:[[#@LINE+13]]:{{.*}}remark: {{.*}}predicted
#include <stdio.h>

enum { N = 64 };
static double X[N][N], Y[N][N];
static volatile int size = N;

__attribute__((noinline)) static void f(int sweeps, int q) {
    int T = __builtin_constant_p(q) ? 100 : 2;
    for (int s = 0; s < sweeps; s++) {
        double (*a)[N] = X, (*b)[N] = Y;
        for (int t = 0; t < T; t++) {
            int n = size;
            for (int j = 0; j < N; j++)
                for (int i = 0; i < n; i++) b[i][j] = (a[1][1] * 0.1) * a[i][j];
            double (*x)[N] = a;
            a = b;
            b = x;
        }
    }
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) X[i][j] = (i * 7 + j * 3) % 11, Y[i][j] = (i * 5 + j) % 13;
    f(3, size);
    double s = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) s += X[i][j] * (i + 1) + Y[i][j] * (j + 2);
    printf("%.17g\n", s);
}
