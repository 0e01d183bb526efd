// Loops whose ends LLVM has joined are understood: several tests lead to the block for empty loops, and a phi brings the same address from there and from behind the loops.
// RUN: %loopwright-clang -O3 -march=znver5 -Rpass=loopwright -Rpass-missed=loopwright -S -o /dev/null %s 2>&1 | %FileCheck %s

// CHECK: joined.c:[[@LINE+2]]:5: remark: {{.*}}blocks transposed in registers
void may_overlap(int b, int c, int n, const float *in, float *mean, float *variance) {
    for (int k = 0; k < c; k++) {
        mean[k] = 0;
        for (int i = 0; i < b; i++)
            for (int x = 0; x < n; x++) mean[k] += in[(i * c + k) * n + x];
        mean[k] /= (float)b * n;
        variance[k] = 0;
        for (int i = 0; i < b; i++)
            for (int x = 0; x < n; x++) variance[k] += (in[(i * c + k) * n + x] - mean[k]) * (in[(i * c + k) * n + x] - mean[k]);
        variance[k] /= (float)b * n;
    }
}

// CHECK: joined.c:[[@LINE+2]]:5: remark: {{.*}}blocks transposed in registers
void apart(int b, int c, int n, const float *restrict in, float *restrict mean, float *restrict variance) {
    for (int k = 0; k < c; k++) {
        mean[k] = 0;
        for (int i = 0; i < b; i++)
            for (int x = 0; x < n; x++) mean[k] += in[(i * c + k) * n + x];
        mean[k] /= (float)b * n;
        variance[k] = 0;
        for (int i = 0; i < b; i++)
            for (int x = 0; x < n; x++) variance[k] += (in[(i * c + k) * n + x] - mean[k]) * (in[(i * c + k) * n + x] - mean[k]);
        variance[k] /= (float)b * n;
    }
}
