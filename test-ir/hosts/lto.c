// Under link-time optimisation each nest is transformed once: with full LTO before the link, with ThinLTO at the link.
// REQUIRES: lld
// RUN: %loopwright-clang -O3 -flto=full -Rpass=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %clang -O3 --ld-path=%lld -flto=full -Wl,--load-pass-plugin=%plugin -Wl,-mllvm,-pass-remarks=loopwright %t.o -o %t 2>&1 | %FileCheck --allow-empty --check-prefix=SILENT %s
// RUN: %t
// RUN: %loopwright-clang -O3 -flto=thin -Rpass=loopwright -c %s -o %t.o 2>&1 | %FileCheck --allow-empty --check-prefix=SILENT %s
// RUN: %clang -O3 --ld-path=%lld -flto=thin -Wl,--load-pass-plugin=%plugin -Wl,-mllvm,-pass-remarks=loopwright %t.o -o %t 2>&1 | %FileCheck %s
// RUN: %t

// CHECK: interchanged loops
// CHECK-NOT: interchanged loops
// SILENT-NOT: interchanged loops
__attribute__((noinline)) static void add(int n, double A[n][n], double B[n][n]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) A[i][j] += B[i][j];
}

static double A[400][400], B[400][400];

int main(int count, char **arguments) {
    (void)arguments;
    add(400 - 1 + count, A, B);
    return A[1][1] != 0;
}
