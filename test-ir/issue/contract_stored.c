// A product that is stored and comes back to a sum, in an order of loops that the source does not have: LLVM sees in new code that the sum reads what was just stored, and made them one operation.
// RUN: %clang -std=gnu11 -w -O3 -march=native -ffp-contract=fast %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -std=gnu11 -w -O3 -march=native -ffp-contract=fast -mllvm -loopwright-policy=random -mllvm -loopwright-seed=29305000400 %s -o %t.random -lm && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -std=gnu11 -w -O3 -march=native -ffp-contract=fast -mllvm -loopwright-policy=force %s -o %t.force -lm && %t.force > %t.out && diff %t.expected %t.out
#include <math.h>
#include <stdio.h>

__attribute__((noinline)) double stored_and_read(int n, int m, int k, int st, double (* A0)[26]) {
    float s0 = 1;
    float s1 = 1;
    s0 = (float)(1.0f);
    s1 = (float)(3.0f);
    {
    long i0 = 1;
    while (i0 < m - 1) {
        for (long i1 = 0; i1 < m && i1 < i0 + 4; i1++) {
            s0 = (float)(1.0f);
            {
            long i2 = 0;
            if (i2 < n) do {
                s0 += A0[i0 + 2][i0 + 2];
                if (i1 <= m + 2) {
                    A0[i0][i2 + 2] *= ((2.0 + A0[i1][i2 + 2]) + (A0[i0 - 2][i1 + 2] + (double)(m))) * 0.125;
                } else {
                    A0[i2][i0 + 2] = (double)((A0[i0][i1] + -(A0[i1][i2 + 2])));
                }
            } while (i2++, i2 < n);
            }
            A0[i0][i1 + 2] += (double)s0;
        }
        i0++;
    }
    }
    for (long i3 = 0; i3 <= m - 1; i3++) {
        A0[i3][i3 + 2] += (A0[i3 - 2][i3 + 2] + A0[i3][i3 + 2]);
        for (long i4 = 3; i4 <= 6; i4++) {
            A0[i3 + 1][i4 + 2] = (double)(A0[i3][i4 + 4]);
            for (long i5 = 0; i5 < n; i5++) {
                A0[i5][i3 + 2] += A0[i3][i4 + 2];
            }
        }
        s1 += fabs((float)s0);
    }
    return 0;
}

static double pool[64][26];

int main(void) {
    for (int n = 0; n < 24; n += 1 + n / 4)
        for (int m = 0; m < 24; m += 1 + m / 3) {
            for (int i = 0; i < 64 * 26; i++) (&pool[0][0])[i] = i * 37 % 1009 / 512.0 - 1;
            stored_and_read(n, m, 0, 1, pool + 8);
            unsigned long hash = 1;
            for (int i = 0; i < 64 * 26; i++) {
                union { double x; unsigned long bits; } cell = {(&pool[0][0])[i]};
                hash = (hash ^ cell.bits) * 0x100000001b3u;
            }
            printf("%d %d %016lx\n", n, m, hash);
        }
    return 0;
}
