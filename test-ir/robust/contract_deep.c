// Values that use themselves twice, many times over, in two sums of two products each: to compare them along every way would take for ever.
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -ffp-contract=fast -w -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s
// REQUIRES: x86_64
#define STEP(x) x = (x / 1.5) / (x / 1.25);
#define STEPS(x) STEP(x) STEP(x) STEP(x) STEP(x) STEP(x) STEP(x) STEP(x) STEP(x)

// CHECK: contract_deep.c:[[#@LINE+2]]:5: remark: cannot transform the loops: LLVM may make a vector of products, and leave their sums operations of their own
void deep(int n, double *restrict c, double *restrict x, double *restrict y, double *restrict z) {
    for (int i = 0; i < n; i++) {
        double p = x[i], q = y[2 * i], r = z[3 * i], s = x[5 * i];
        STEPS(p) STEPS(p) STEPS(p)
        STEPS(q) STEPS(q) STEPS(q)
        STEPS(r) STEPS(r) STEPS(r)
        STEPS(s) STEPS(s) STEPS(s)
        c[i] = (p * z[i] - q * y[i]) / (r * x[7 * i] - s * y[9 * i]);
    }
}
