// Loops whose ends LLVM has joined are understood, whether arrays are known to be apart or not: several tests lead to the block for empty loops, and a phi brings the same address from there and from behind the
// loops.
// RUN: %loopwright-clang -O3 -march=znver5 -DQUALIFIED= -Rpass=loopwright -Rpass-missed=loopwright -S -o /dev/null %s 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=znver5 -DQUALIFIED=restrict -Rpass=loopwright -Rpass-missed=loopwright -S -o /dev/null %s 2>&1 | %FileCheck %s

// CHECK: joined.c:[[@LINE+2]]:5: remark: {{.*}}blocks transposed in registers
void norms(int b, int c, int n, const float *QUALIFIED in, float *QUALIFIED mean, float *QUALIFIED variance) {
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
