// A length that is computed from addresses in memory, `end - begin`, says how many rows there are: checks read a row only if no row before it is where those addresses are, as the program writes to it first. Here the
// third row changes `end`, and nobody may read what the table would have behind it.
// RUN: %loopwright-clang -O3 -fno-strict-aliasing -mllvm -loopwright-policy=force -Rpass=loopwright %s -o %t 2>&1 | %FileCheck %s
// RUN: %t | %FileCheck --check-prefix=OUT %s
// RUN: %clang -O3 -fno-strict-aliasing %s -o %t.plain && %t.plain | %FileCheck --check-prefix=OUT %s
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct table {
    double **begin, **end;
};

__attribute__((noreturn, noinline)) static void fail(unsigned long row) {
    printf("no row %lu\n", row);
    exit(0);
}

// CHECK: length_ahead.c:[[#@LINE+2]]:5: remark: {{.*}}predicted
__attribute__((noinline)) void fill(struct table *t, const double *x, unsigned long n, unsigned long m) {
    for (unsigned long i = 0; i < n; i++)
        for (unsigned long j = 0; j < m; j++) {
            if (i >= (unsigned long)(t->end - t->begin)) fail(i);
            t->begin[i][j] = x[2 * j];
        }
}

int main(void) {
    long page = sysconf(_SC_PAGESIZE);
    char *pages = mmap(0, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(pages + page, page, PROT_NONE);
    struct table t;
    static double rows[2][4], x[8];
    t.begin = (double **)(pages + page) - 3;
    t.end = t.begin + 8;
    t.begin[0] = rows[0], t.begin[1] = rows[1], t.begin[2] = (double *)&t.end;
    double **end = t.begin + 3;
    memcpy(&x[0], &end, sizeof end);
    // OUT: no row 3
    volatile unsigned long n = 8, m = 1;
    fill(&t, x, n, m);
    puts("all rows");
}
