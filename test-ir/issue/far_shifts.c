// Shifts that are multiples of 2^32, as indices without sign wrap: the solver of integer programs counts in 32 bits, and never came to an end.
// RUN: timeout 300 %loopwright-clang -O3 -w -c %s -o %t.o
// RUN: timeout 300 %loopwright-clang -O3 -w -c -mllvm -loopwright-policy=force %s -o %t.o
signed char G[28][73];
float first;

void far_shifts(unsigned n, unsigned m, unsigned k, float *A) {
    unsigned i = 3;
    if (i < k + 1)
        for (;; i++) {
            if (i >= k) break;
            A[i + 25] = G[i + 3][m - i + 24];
            if (i >= n + 1) first = G[i][n - i + 24];
            for (unsigned j = 0; j + i < m + 1; j++)
                for (unsigned l = i; l > 0;) {
                    l--;
                    G[j + 1][n - l + 24] = j + 2;
                    signed char t = G[j + 1][i + l + 25];
                    G[j + 1][i + l + 25] = G[j][k + 25];
                    G[j][k + 25] = t;
                }
        }
}
