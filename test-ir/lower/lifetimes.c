// An array that is declared in a loop lives while the new code runs: its lifetime starts before that and ends behind it, as other arrays may have the same place on the stack before and behind.
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force -fno-vectorize -fno-slp-vectorize -fno-discard-value-names -S -emit-llvm %s -o - | %FileCheck %s

// CHECK-LABEL: define {{.*}}@batch(
// CHECK: %[[SLOT:.*]] = alloca [16 x [16 x double]]
// The original loop.
// CHECK: for.body{{.*}}:
// CHECK: call void @llvm.lifetime.start.p0(ptr {{.*}}%[[SLOT]])
// CHECK: call void @llvm.lifetime.end.p0(ptr {{.*}}%[[SLOT]])
// CHECK: lw.start:
// CHECK-NEXT: call void @llvm.lifetime.start.p0(ptr {{.*}}%[[SLOT]])
// CHECK-NOT: call void @llvm.lifetime
// CHECK: {{^}}lw.after:
// CHECK: call void @llvm.lifetime.end.p0(ptr {{.*}}%[[SLOT]])
// CHECK-NOT: call void @llvm.lifetime
// CHECK: {{^}}}
void batch(int count, int n, double (*C)[16][16], double (*A)[16][16], double (*B)[16][16]) {
    for (int e = 0; e < count; e++) {
        double t[16][16];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                t[i][j] = 0;
                for (int k = 0; k < n; k++) t[i][j] += A[e][i][k] * B[e][k][j];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                C[e][i][j] = 0;
                for (int k = 0; k < n; k++) C[e][i][j] += t[i][k] * A[e][j][k];
            }
    }
}
