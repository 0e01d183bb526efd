// What is stored to every second cell of some rows LLVM would scatter, which takes longer than scalars do; not so where a value takes long to compute, or where all cells are stored.
//
// RUN: %loopwright-clang -O3 -march=znver4 -w -S -emit-llvm -mllvm -loopwright-policy=force %s -o %t.ll
// RUN: %FileCheck %s < %t.ll
// RUN: %FileCheck --check-prefix=SOURCE %s < %t.ll

// The original loops, for other sizes.
// SOURCE: define {{.*}} @near(
// SOURCE: call void @llvm.masked.scatter

// Only our own code has scopes.
// CHECK: define {{.*}} @near(
// CHECK-NOT: masked.scatter{{.*}}!alias.scope
// CHECK: define {{.*}} @both(
// CHECK-NOT: masked.scatter
// CHECK: store <16 x double>{{.*}}!alias.scope
// CHECK: define {{.*}} @divided(
// CHECK: masked.scatter{{.*}}!alias.scope
void near(long h, long w, double (*restrict out)[w], double (*restrict in)[w], double *restrict f) {
    for (long i = 0; i < h; i++)
        for (long j = 0; j < w / 2; j++) out[i][2 * j] = in[i][j] * f[i] + in[i + 1][j];
}

void both(long h, long w, double (*restrict out)[w], double (*restrict in)[w], double *restrict f) {
    for (long i = 0; i < h; i++)
        for (long j = 0; j < w / 2; j++) {
            out[i][2 * j] = in[i][j] * f[i];
            out[i][2 * j + 1] = in[i][j] - f[i];
        }
}

void divided(long h, long w, double (*restrict out)[w], double (*restrict in)[w], double *restrict f) {
    for (long i = 0; i < h; i++)
        for (long j = 0; j < w / 2; j++) out[i][2 * j] = f[i] / (in[i][j] * in[i][j] + 1);
}
