// Refusals speak of what stands in the source, not of the compiler's inside.
//
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s

// CHECK-NOT: <%
// CHECK-NOT: ,+,
// CHECK-NOT: /u
// CHECK-NOT: %{{[0-9a-z]}}
// CHECK: a subscript is not an affine function of the loops
// CHECK-NOT: <%
// CHECK-NOT: ,+,
// CHECK-NOT: /u
// CHECK-NOT: %{{[0-9a-z]}}
void modulo(long n, double *restrict x, double *restrict y) {
    for (long i = 0; i < n; i++) x[i % 7] += y[i];
}
void square(long n, double *restrict x, double *restrict y) {
    for (long i = 0; i < n; i++) x[i * i] += y[i];
}
void squares(long n, double *restrict x, double *restrict y) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < i * i; j++) x[i] += y[j];
}
void two_shapes(long n, long m, double *restrict A) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) A[i * n + j] += A[i * m + j];
}
void wraps(unsigned n, double *restrict A, double *restrict x) {
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < n; k++) A[i * n + k] += x[k];
}
