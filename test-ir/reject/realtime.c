// Functions that are checked to ask for no memory ask for none.
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=x86-64-v3 -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=PLAIN
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=x86-64-v3 -fsanitize=realtime -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=CHECKED

// PLAIN: @malloc
// CHECKED: define{{.*}} @product
// CHECKED-NOT: @malloc
void product(long n, double (*restrict c)[1000], double (*restrict a)[1000], double (*restrict b)[1000]) __attribute__((nonblocking)) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
}
