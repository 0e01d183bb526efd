// x[i] is loaded, overwritten, and its old value is used: a copy would need a cell for every iteration of three loops. Twin of scop/kept_load.
//
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force -Rpass=loopwright -Rpass-missed=loopwright -S %s -o /dev/null 2>&1 | %FileCheck %s

// CHECK: stale_load.c:{{.*}}cannot transform the loops: a loaded value is still used after its memory may have changed
void f(long n, double x[restrict n], double y[restrict n]) {
    for (long l = 0; l < n; l++)
        for (long k = 0; k < n; k++)
            for (long i = 0; i < n; i++) {
                double t = x[i];
                x[i] = y[i] + 1.0;
                y[i] = t;
            }
}
