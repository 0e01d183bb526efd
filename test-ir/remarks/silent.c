// Without -Rpass nothing is said, whatever was done or refused.
//
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force -c %s -o %t.o 2>&1 | count 0
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force -Wall -Wextra -c %s -o %t.o 2>&1 | count 0
void row_sums(long n, double A[restrict n][n], double s[restrict n]) {
    for (long j = 0; j < n; j++)
        for (long i = 0; i < n; i++) s[i] += A[i][j];
}

void scatter(long n, long *restrict index, double *restrict x) {
    for (long i = 0; i < n; i++) x[index[i]] = 1.0;
}
