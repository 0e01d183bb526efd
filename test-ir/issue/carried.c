// A value carried over two iterations that is also in memory, where the cell is overwritten before it is used: the start of an inner scalar is that of the outer loop.
// RUN: %execute %s
#include "kernel.h"

KERNEL(over_two_iterations, "double n+m+8", double *a) {
    if (m > 2) return;
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m + 1 && j < i + 1; j++) {
            double last = n, now = a[j];
            for (int k = 0; k < m; k++) {
                last = now;
                now = a[i];
                a[i] = (a[k] + a[i + 1]) * now * 0.015625 + last * 0.25;
            }
        }
}

KERNEL(over_three_iterations, "double n+m+8", double *a) {
    if (m > 3) return;
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m + 1 && j < i + 1; j++) {
            double older = n, last = a[j], now = a[j + 1];
            for (int k = 0; k < m; k++) {
                older = last;
                last = now;
                now = a[i];
                a[i] = (a[k] + a[i + 1]) * now * 0.015625 + older * 0.25;
            }
        }
}
