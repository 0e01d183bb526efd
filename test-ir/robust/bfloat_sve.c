// LLVM 22.1 dies on vectors of bfloats for SVE of a fixed length: loops that it leaves alone must not become vectors by ours.
// RUN: %loopwright-clang --target=aarch64-linux-gnu -mcpu=a64fx -msve-vector-bits=512 -O3 -S %s -o %t.s
// RUN: %loopwright-clang --target=aarch64-linux-gnu -march=armv8.2-a+sve -msve-vector-bits=256 -O3 -mllvm -loopwright-policy=kernels -S %s -o %t.s
// RUN: %loopwright-clang --target=aarch64-linux-gnu -march=armv8.2-a+sve -msve-vector-bits=256 -O3 -mllvm -loopwright-policy=force -S %s -o %t.s
void product(__bf16 *restrict c, const __bf16 *restrict a, const __bf16 *restrict b, long n) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}
