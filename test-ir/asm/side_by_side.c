// Statements side by side that use the same cells again and again: new loops, whose arrays are known to be apart, keep them in registers and make vectors of the statements, not of iterations.
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=skylake-avx512 -Rpass=loopwright -Rpass-missed=loopwright -S %s -o %t.s 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=ASM --input-file=%t.s

// CHECK: side_by_side.c:[[#@LINE+5]]:{{.*}}arrays told apart; predicted {{[0-9.]+}} times as fast
// ASM-LABEL: small:
// ASM-NOT: {{vgather|vscatter}}
// ASM: .Lfunc_end
void small(int count, double (*C)[3][3], double (*A)[3][3], double (*B)[3][3]) {
    for (int b = 0; b < count; b++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++) C[b][i][j] += A[b][i][k] * B[b][k][j];
}

// One matrix for all points is loaded once.
// CHECK: side_by_side.c:[[#@LINE+2]]:{{.*}}arrays told apart
void points(int count, float (*out)[4], float (*in)[4], float M[4][4]) {
    for (int p = 0; p < count; p++)
        for (int i = 0; i < 4; i++) {
            out[p][i] = 0;
            for (int k = 0; k < 4; k++) out[p][i] += M[i][k] * in[p][k];
        }
}

// LLVM knows it itself, and scatters them.
// CHECK: side_by_side.c:[[#@LINE+5]]:{{.*}}accesses told apart
// ASM-LABEL: apart:
// ASM-NOT: {{vgather|vscatter}}
// ASM: .Lfunc_end
void apart(int count, double (*restrict C)[3][3], double (*restrict A)[3][3], double (*restrict B)[3][3]) {
    for (int b = 0; b < count; b++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++) C[b][i][j] += A[b][i][k] * B[b][k][j];
}

// Nothing is used twice.
// CHECK: side_by_side.c:[[#@LINE+2]]:{{.*}}left the loops as they are
void once(int count, double *x, double *y) {
    for (int i = 0; i < count; i++) x[i] += 3 * y[i];
}

typedef struct {
    float w[32][24], b[32];
} layer;

// A store to a single cell beside them is done once for an iteration; it is no reason for vectors of iterations.
// CHECK: side_by_side.c:[[#@LINE+8]]:{{.*}}neighbours side by side in vectors
// ASM-LABEL: beside:
// ASM-NOT: vscatter
// ASM: .Lfunc_end
void beside(layer *net, int n, float (*x)[24], float (*y)[32], float rate) {
    float d[32];
    for (int s = 0; s < n; s++) {
        for (int j = 0; j < 32; j++) d[j] = y[s][j] > 0 ? y[s][j] : 0;
        for (int j = 0; j < 32; j++) {
            for (int i = 0; i < 24; i++) net->w[j][i] -= rate * d[j] * x[s][i];
            net->b[j] -= rate * d[j];
        }
    }
}
