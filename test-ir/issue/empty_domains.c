// Bounds that mean nothing where a statement does not run, since its loop is never entered: an unsigned quotient of a negative number. New loops that walked over them, in the order of
// the cells, ran for ever without doing anything.
// RUN: %execute %s
#include "kernel.h"

KERNEL(every_fourth_row, "int n*88+400", int A[][88]) {
    for (int i = 0; i < n; i++)
        for (int j = 2; j < n - 2; j += 4) A[j][i + 46] = 0;
}

KERNEL(beside_another, "int n*88+400", int A[][88]) {
    for (int i = 0; i < n; i++) {
        A[0][i] = 2;
        for (int j = 2; j < n - 2; j += 4) A[j][i + 46] = 0;
    }
}

KERNEL(between_others, "int n*88+400, int n+m+8", int A[][88], int *B) {
    for (int i = 0; i < n; i++) {
        B[i] += 2;
        for (int j = 2; j < n - 2; j += 4) A[j][i + 46] = B[i];
        for (int j = 3; j < m - 5; j += 3) B[j] = 1 - B[i];
    }
}
