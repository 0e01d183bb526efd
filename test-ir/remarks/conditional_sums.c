// Sums of terms that data choose: lanes of the loops outside take them under masks, and nothing branches. Where conditions keep whole loops from running, or LLVM has vectors of its own, the source stays.
//
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver5 -S -o %t.s -Rpass=loopwright -Rpass-missed=loopwright %s 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --input-file=%t.s --check-prefix=CODE
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=haswell -S -o %t.haswell.s -Rpass=loopwright -Rpass-missed=loopwright %s 2>&1 | %FileCheck %s --check-prefix=UNMASKED
// RUN: %FileCheck %s --input-file=%t.haswell.s --check-prefix=UNMASKED-CODE
// REQUIRES: x86_64

// CHECK: conditional_sums.c:[[#@LINE+9]]:{{.*}}: remark: {{.*}}loops in {{.*}}8 lanes
// Without masks there must be some vectors of classes, and more must be gained.
// UNMASKED: conditional_sums.c:[[#@LINE+7]]:{{.*}}: remark: {{.*}}loops in 4 vectors of 4 lanes
// UNMASKED-CODE-LABEL: classes:
// UNMASKED-CODE: cmpl $16, %esi
// CODE-LABEL: classes:
// CODE-NOT: vgather
// CODE: vaddpd ({{.*}}){1to8}, %zmm{{[0-9]+}}, %zmm{{[0-9]+}} {%k{{[0-9]}}}
void classes(int n, int m, double *v, int *class, double *s) {
    for (int c = 0; c < m; c++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            if (class[i] == c) sum += v[i];
        s[c] = sum;
    }
}

// CHECK: conditional_sums.c:[[#@LINE+4]]:{{.*}}: remark: {{.*}}loops in {{.*}}8 lanes
// UNMASKED: conditional_sums.c:[[#@LINE+3]]:{{.*}}: remark: left the loops as they are
// CODE-LABEL: without_zeros:
void without_zeros(int n, double A[n][n], double *x, double *y) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            if (A[i][j] != 0) sum += A[i][j] * x[j];
        y[i] = sum;
    }
}

// All that is read is there anyway: a choice.
// CHECK: conditional_sums.c:[[#@LINE+2]]:{{.*}}: remark: {{.*}}interchanged loops
void covariances(int n, int m, double A[n][m], double C[m][m]) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                if (A[k][i] == A[k][i] && A[k][j] == A[k][j]) sum += A[k][i] * A[k][j];
            C[i][j] = sum;
        }
}

// Sums of integers LLVM takes in any order.
// CHECK: conditional_sums.c:[[#@LINE+2]]:{{.*}}: remark: left the loops as they are
void counts(int n, int *x, int *t, int *w, int *s) {
    for (int j = 0; j < n; j++) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            if (x[i] > t[j]) sum += w[i];
        s[j] = sum;
    }
}

// How many of the loops run nobody knows: loops of others in their place would ask for each of their iterations.
// CHECK: conditional_sums.c:[[#@LINE+5]]:{{.*}}: remark:
// CHECK-NOT: lanes
// CHECK-NOT: register tile
// CODE-LABEL: sampled:
void sampled(int n, unsigned char mask[n][n], double A[n][n], double B[n][n], double *restrict C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (!mask[i][j]) continue;
            double sum = C[i * n + j];
            for (int k = 0; k < n; k++) sum += A[i][k] * B[k][j];
            C[i * n + j] = sum;
        }
}
