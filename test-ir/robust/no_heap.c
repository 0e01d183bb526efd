// Where programs have no heap (BPF) none is used, whatever the library's table says.
// RUN: %loopwright-clang -O3 --target=bpf -S %s -o - | %FileCheck %s
// RUN: %loopwright-clang -O3 --target=bpf -mllvm -loopwright-policy=kernels -S %s -o - | %FileCheck %s
// CHECK-LABEL: product:
// CHECK-NOT: malloc
typedef unsigned char byte;
enum { N = 256 };

void product(int n, int m, byte (*restrict A)[N], byte (*restrict B)[N], byte (*restrict C)[N]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < n; l++) C[i][j] += A[i][l] * B[l][j];
}
