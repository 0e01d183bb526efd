// Sums of products of narrow integers by groups: the machine's operation on two or four terms in each lane, on whole vectors, with no more loads than products of wide numbers have.
//
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver5 -DNO_BYTES -S %s -o %t.s
// RUN: %FileCheck %s --input-file=%t.s --check-prefix=SUMS
// RUN: %inner-loops %t.s | %FileCheck %s --implicit-check-not='on the stack' --check-prefix=AVX512
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=skylake-avx512 -DNO_BYTES -S %s -o %t.s
// RUN: %FileCheck %s --input-file=%t.s --check-prefix=PRODUCTS
// RUN: %inner-loops %t.s | %FileCheck %s --implicit-check-not='on the stack' --check-prefix=AVX512
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=haswell -DNO_BYTES -S %s -o %t.s
// RUN: %inner-loops %t.s | %FileCheck %s --implicit-check-not='on the stack' --check-prefix=AVX2
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=x86-64 -DNO_BYTES -S %s -o %t.s
// RUN: %inner-loops %t.s | %FileCheck %s --implicit-check-not='on the stack' --check-prefix=SSE2

// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver5 -DNO_SHORT -S %s -o %t.s
// Sums of rows keep an address a row, which are more than there are registers for: these may be on the stack, but no vector, and nothing is stored there.
// RUN: %inner-loops --show %t.s | %FileCheck %s --check-prefix=VECTORS
// VECTORS: alike: 16 vector multiply-adds (ymm)
// VECTORS-NOT: {{mm[0-9]+.*\(%rsp|\(%rsp.*mm[0-9]|, [0-9]*\(%rsp\)$}}
// RUN: %inner-loops %t.s | grep -v ' 0 broadcasts' | %FileCheck %s --implicit-check-not='on the stack' --check-prefix=BYTES
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=alderlake -DNO_SHORT -S %s -o %t.s
// RUN: %inner-loops %t.s | %FileCheck %s --check-prefix=VNNI
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=arrowlake -DNO_SHORT -S %s -o %t.s
// RUN: %FileCheck %s --input-file=%t.s --check-prefix=ALIKE
// RUN: %loopwright-clang --target=aarch64-linux-gnu -O3 -mcpu=neoverse-n1 -DNO_SHORT -S %s -o %t.s
// RUN: %inner-loops %t.s | %FileCheck %s --implicit-check-not='on the stack' --check-prefix=NEON
// RUN: %loopwright-clang --target=aarch64-linux-gnu -O3 -mcpu=neoverse-v1 -DNO_SHORT -S %s -o %t.s
// RUN: %FileCheck %s --input-file=%t.s --check-prefix=MIXED

// SUMS: vpdpwssd {{.*}}%zmm
// PRODUCTS-NOT: vpdpwssd
// PRODUCTS: vpmaddwd {{.*}}%zmm
// AVX512: products: 24 vector multiply-adds (zmm), 3 vector loads, 8 broadcasts
// BYTES: bytes: 24 vector multiply-adds (zmm), 3 vector loads, 8 broadcasts
// BYTES: alike: 24 vector multiply-adds (zmm), 3 vector loads, 8 broadcasts
// VNNI: bytes: 12 vector multiply-adds (ymm), 2 vector loads, 6 broadcasts
// VNNI: alike: 12 vector multiply-adds (ymm), 2 vector loads, 6 broadcasts
// NEON: bytes: 24 vector multiply-adds (v), 3 vector loads, 6 broadcasts
// NEON: alike: 24 vector multiply-adds (v), 3 vector loads, 6 broadcasts
// ALIKE-LABEL: bytes:
// ALIKE: vpdpbusd {{.*}}%ymm
// ALIKE-LABEL: alike:
// ALIKE: vpdpbssd {{.*}}%ymm
// MIXED-LABEL: bytes:
// MIXED: usdot
// MIXED-LABEL: alike:
// MIXED: {{[^u]}}sdot
// AVX2: products: 10 vector multiply-adds (ymm), 2 vector loads, 5 broadcasts
// SSE2: products: 10 vector multiply-adds (xmm), 2 vector loads
#ifndef NO_SHORT
void products(int n, int m, int k, int C[restrict n][m], short A[restrict n][k], short B[restrict k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
}
#endif

#ifndef NO_BYTES
// The machine's operation on bytes takes one operand with sign and one without; that of AArch64 two alike.
void bytes(int n, int m, int k, int C[restrict n][m], unsigned char A[restrict n][k], signed char B[restrict k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
}

void alike(int n, int m, int k, int C[restrict n][m], signed char A[restrict n][k], signed char B[restrict k][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++) C[i][j] += A[i][p] * B[p][j];
}
#endif
