// A condition on data decides for all nests in a loop: what the whole would gain is not certain, the nest behind the condition is taken by itself.
// RUN: %loopwright-clang -O3 -march=znver5 -S -o /dev/null -Rpass=loopwright -Rpass-missed=loopwright %s 2>&1 | %FileCheck %s
// REQUIRES: x86_64
// CHECK: behind_conditions.c:[[#@LINE+5]]:5: remark: left the loops as they are
// CHECK: behind_conditions.c:[[#@LINE+13]]:9: remark: {{.*}}predicted {{[2-9]}}
#include <math.h>

void householder(int m, int n, double *A, double *v) {
    for (int k = 0; k < n - 1; k++) {
        double norm = 0;
        for (int i = k; i < m; i++) norm += A[i * n + k] * A[i * n + k];
        norm = sqrt(norm);
        if (norm == 0) continue;
        double alpha = A[k * n + k] > 0 ? -norm : norm, vv = 0;
        for (int i = k; i < m; i++) v[i] = A[i * n + k];
        v[k] -= alpha;
        for (int i = k; i < m; i++) vv += v[i] * v[i];
        for (int j = k; j < n; j++) {
            double s = 0;
            for (int i = k; i < m; i++) s += v[i] * A[i * n + j];
            s = 2 * s / vv;
            for (int i = k; i < m; i++) A[i * n + j] -= s * v[i];
        }
    }
}

// The same of many matrices: the condition is in a loop further inside.
// CHECK: behind_conditions.c:[[#@LINE+3]]:5: remark: left the loops as they are
// CHECK: behind_conditions.c:[[#@LINE+13]]:13: remark: {{.*}}predicted {{[2-9]}}
void householders(int all, int m, int n, double *restrict As, double *restrict v) {
    for (int l = 0; l < all; l++) {
        double *A = As + (long)l * m * n;
        for (int k = 0; k < n - 1; k++) {
            double norm = 0;
            for (int i = k; i < m; i++) norm += A[i * n + k] * A[i * n + k];
            norm = sqrt(norm);
            if (norm == 0) continue;
            double alpha = A[k * n + k] > 0 ? -norm : norm, vv = 0;
            for (int i = k; i < m; i++) v[i] = A[i * n + k];
            v[k] -= alpha;
            for (int i = k; i < m; i++) vv += v[i] * v[i];
            for (int j = k; j < n; j++) {
                double s = 0;
                for (int i = k; i < m; i++) s += v[i] * A[i * n + j];
                s = 2 * s / vv;
                for (int i = k; i < m; i++) A[i * n + j] -= s * v[i];
            }
        }
    }
}
