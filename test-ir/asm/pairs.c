// Sums of products of narrow integers by pairs: the machine's operation on two terms in each lane, on whole vectors, with no more loads than products of wide numbers have.
//
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver5 -S %s -o %t.s
// RUN: %FileCheck %s --input-file=%t.s --check-prefix=SUMS
// RUN: %inner-loops %t.s | %FileCheck %s --implicit-check-not='on the stack' --check-prefix=AVX512
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=skylake-avx512 -S %s -o %t.s
// RUN: %FileCheck %s --input-file=%t.s --check-prefix=PRODUCTS
// RUN: %inner-loops %t.s | %FileCheck %s --implicit-check-not='on the stack' --check-prefix=AVX512
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=haswell -S %s -o %t.s
// RUN: %inner-loops %t.s | %FileCheck %s --implicit-check-not='on the stack' --check-prefix=AVX2
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=x86-64 -S %s -o %t.s
// RUN: %inner-loops %t.s | %FileCheck %s --implicit-check-not='on the stack' --check-prefix=SSE2

// SUMS: vpdpwssd {{.*}}%zmm
// PRODUCTS-NOT: vpdpwssd
// PRODUCTS: vpmaddwd {{.*}}%zmm
// AVX512: products: 24 vector multiply-adds (zmm), 3 vector loads, 8 broadcasts
// AVX2: products: 10 vector multiply-adds (ymm), 2 vector loads, 5 broadcasts
// SSE2: products: 10 vector multiply-adds (xmm), 2 vector loads
void products(int n, int m, int k, int C[restrict n][m], short A[restrict n][k], short B[restrict k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
}
