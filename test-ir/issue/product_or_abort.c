// Where a product is NaN it is computed anew, and where it is not the program ends: both ways lead out of the region, and new loops without that block went on where the program ends.
//
// RUN: %clang -O2 %s -o %t.plain && %t.plain > %t.expected && grep ended %t.expected
// RUN: %loopwright-clang -O2 -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

double _Complex __muldc3(double, double, double, double);

static void ended(int signal) {
    (void)signal;
    if (write(1, "ended\n", 6) != 6) _exit(1);
    _exit(0);
}

__attribute__((noinline)) void kernel(int n, double *restrict c, double *restrict a, double *restrict b) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) {
                if (j > 30) {
                    double x = a[i] * b[k];
                    if (x != x) c[j] -= __real__ __muldc3(a[i], 1, b[k], 2);
                    else abort();
                }
                c[j] += a[i] * b[k];
            }
}

int main(void) {
    static double a[40], b[40], c[40];
    signal(SIGABRT, ended);
    for (int i = 0; i < 40; i++) a[i] = i, b[i] = i + 1;
    kernel(40, c, a, b);
    puts("went on");
}
