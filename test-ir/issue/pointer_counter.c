// What a pointer gains behind a loop that is gone round where another pointer is at some place: the distance of pointers into two objects is no number, and the compiler died.
// RUN: %clang -O3 -march=native -w -I%S/../run/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -I%S/../run/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/../run/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <stdio.h>

__attribute__((noinline)) void fill(long n, char *s, char *but, double *p) {
    for (long i = 0; i < n; i++, s++)
        if (s != but)
            for (long j = 0; j <= i; j++) *p++ = j * 0.5;
}

// The counter comes round again: the square of the iteration is another one then.
__attribute__((noinline)) void rounds(int n, unsigned char at, double *a, double *b) {
    unsigned char c = 0;
    for (int i = 0; i < n; i++, c++)
        if (c != at)
            for (int j = 0; j < c; j++) *b++ += a[j];
}

static char text[600];
static double A[300], B[100000];

int main(void) {
    for (int i = 0; i < 300; i++) A[i] = i * 0.25;
    for (int n = 0; n < 600; n += 37)
        for (int k = 0; k < n; k += 11) {
            for (int i = 0; i < 100000; i++) B[i] = i;
            fill(n < 400 ? n : 400, text, text + k, B);
            printf("%lx\n", (unsigned long)hash(0, B, sizeof B));
            rounds(n, k, A, B);
            printf("%lx\n", (unsigned long)hash(0, B, sizeof B));
        }
}
