// A filter over an image that goes on outside of it: loops at its borders are as long as the filter's half, which may be short; how long rows are is asked for all the same.
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver3 -S -emit-llvm -fno-discard-value-names %s -o - | %FileCheck %s
// CHECK-LABEL: @filter(
// CHECK-NOT: icmp {{.*}} %r, {{[0-9][0-9]+}}
// CHECK: [[N:%[0-9]+]] = icmp ugt i32 %n, {{[1-4][0-9]$}}
// CHECK-NOT: icmp {{.*}} %r, {{[0-9][0-9]+}}
// CHECK: br i1 [[N]], label %lw.more, label %
// CHECK: fma.v8f32
static int clamped(int p, int n) { return p < 0 ? 0 : p > n - 1 ? n - 1 : p; }

void filter(int n, int r, const float *in, const float *weights, float *out) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int p = -r; p <= r; p++)
                for (int q = -r; q <= r; q++) sum += weights[(p + r) * (2 * r + 1) + q + r] * in[clamped(i + p, n) * n + clamped(j + q, n)];
            out[i * n + j] = sum;
        }
}
