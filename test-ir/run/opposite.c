// Values and stores that conditions on data choose: both are computed where that does no harm. Tables of dynamic programming with branches; values behind pointers that nobody may follow where the condition does not
// hold; cells at the very end of what is mapped.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=4 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define KERNEL __attribute__((noinline)) static void
#define MOST(a, b) ((a) > (b) ? (a) : (b))
#define LEAST(a, b) ((a) < (b) ? (a) : (b))

// CHECK: opposite.c:[[#@LINE+2]]:5: remark: {{.*}}rows abreast in lanes
KERNEL subsequence(int n, int m, int h[n + 1][m + 1], char *a, char *b) {
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0)
                h[i][j] = 0;
            else if (a[i - 1] == b[j - 1])
                h[i][j] = h[i - 1][j - 1] + 1;
            else
                h[i][j] = MOST(h[i - 1][j], h[i][j - 1]);
        }
}

// Three ways, of which two store what they have loaded.
// CHECK: opposite.c:[[#@LINE+2]]:5: remark: {{.*}}rows abreast in lanes
KERNEL three_ways(int n, int m, int h[n + 1][m + 1], char *a, char *b) {
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            if (a[i - 1] == b[j - 1])
                h[i][j] = h[i - 1][j - 1] + 1;
            else if (h[i - 1][j] > h[i][j - 1])
                h[i][j] = h[i - 1][j];
            else
                h[i][j] = h[i][j - 1];
        }
}

// CHECK: opposite.c:[[#@LINE+2]]:5: remark: {{.*}}rows abreast in lanes
KERNEL distance(int n, int m, int h[n + 1][m + 1], char *a, char *b) {
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            if (i == 0)
                h[i][j] = j;
            else if (j == 0)
                h[i][j] = i;
            else if (a[i - 1] == b[j - 1])
                h[i][j] = h[i - 1][j - 1];
            else
                h[i][j] = 1 + LEAST(LEAST(h[i - 1][j], h[i][j - 1]), h[i - 1][j - 1]);
        }
}

// Several conditions at once, one value of floating-point numbers.
KERNEL both(int n, double *restrict o, double *restrict x, double *restrict y) {
    for (int k = 0; k < 3; k++)
        for (int i = 1; i < n; i++) {
            if (x[i] > 1.0 && y[i] < 2.0)
                o[i] = x[i] * 2.0;
            else
                o[i] = o[i - 1] + y[i];
        }
}

// Nobody may follow q where p says so.
KERNEL behind(int n, int m, int *restrict o, char *restrict p, int *q) {
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n; i++) {
            if (p[i])
                o[i] = q[i] + k;
            else
                o[i] = o[i] * 3 + 1;
        }
}

KERNEL value_behind(int n, int m, int *restrict o, char *restrict p, int *q) {
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n; i++) {
            int t = 7;
            if (p[i]) t = q[i];
            o[i] = o[i] * 5 + t;
        }
}

// Nor to decide whether anything is stored there.
KERNEL behind_a_guard(int n, int m, int *restrict q, char *restrict p, int *restrict x) {
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n; i++) {
            int t, e = x[i];
            if (p[i] > e)
                t = q[i];
            else
                t = e * 3;
            if (t > 25) q[i] = t + k;
        }
}

// Nor what lies before the first cell of a row, or behind the last one.
KERNEL neighbours(int n, int *restrict o, char *restrict p) {
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < n; i++) {
            if (p[i] == 0)
                o[i] = k;
            else if (p[i] == 1)
                o[i] = o[i + 1] + 1;
            else
                o[i] = o[i - 1] + 2;
        }
}

// A quotient that only one way may compute.
KERNEL quotient(int n, int *restrict o, int *restrict x) {
    for (int k = 1; k < 5; k++)
        for (int i = 0; i < n; i++) {
            if (x[i] != 0)
                o[i] = 1000 / x[i] + o[i];
            else
                o[i] = -o[i] - k;
        }
}

// What one way stores the other one reads, in another cell.
KERNEL two_arrays(int n, int *restrict o, int *restrict t, int *restrict x) {
    for (int k = 0; k < 4; k++)
        for (int i = 1; i < n; i++) {
            if (x[i] > 3) {
                t[i] = o[i - 1] + k;
                o[i] = t[i] * 2;
            } else {
                o[i] = t[i - 1] - 1;
                t[i] = o[i] + x[i];
            }
        }
}

// Stores to one cell of numbers of other types.
KERNEL punned(int n, int *o, int *x) {
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++) {
            if (x[i] & 1)
                o[i] = x[i] + k;
            else
                *(float *)&o[i] = (float)x[i] * 0.5f;
        }
}

// One of them stores twice.
KERNEL twice(int n, int *restrict o, int *restrict x) {
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++) {
            if (x[i] & 2) {
                o[i] = x[i];
                o[i] = o[i] * o[i] - k;
            } else
                o[i] = o[i] + 1;
        }
}

// A condition under a condition.
KERNEL nested(int n, int *restrict o, int *restrict x, int *restrict y) {
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            if (x[i] > 2) {
                if (y[i] > x[i])
                    o[i] = y[i] - k;
                else
                    o[i] = x[i] + o[i];
            }
}

#define SHOW(NAME, MEMORY, BYTES) printf(NAME " %016llx\n", (unsigned long long)hash(7, MEMORY, BYTES))

enum { CELLS = 90 * 90 };
static int table[CELLS], x[CELLS], y[CELLS], t[CELLS];
static char a[CELLS], b[CELLS];
static double o[CELLS], u[CELLS], v[CELLS];

static void fill(int seed) {
    for (int i = 0; i < CELLS; i++) {
        unsigned r = (i + 1) * 2654435761u * (seed + 3) >> 7;
        table[i] = r % 1000, x[i] = r / 7 % 9, y[i] = r / 61 % 9, t[i] = r % 77;
        a[i] = r / 11 % 3, b[i] = r / 13 % 3;
        o[i] = r % 19 * 0.25, u[i] = r / 3 % 4 * 0.75, v[i] = r / 5 % 7 * 0.5;
    }
}

int main(void) {
    static const int sizes[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 18, 31, 40, 65, 88};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    for (int s = 0; s < SIZES; s++)
        for (int z = 0; z < SIZES; z += 1 + s % 3) {
            int n = sizes[s], m = sizes[z];
            fill(s + z), subsequence(n, m, somewhere(table), a, b), SHOW("subsequence", table, sizeof table);
            fill(s + z), three_ways(n, m, somewhere(table), a, b), SHOW("three ways", table, sizeof table);
            fill(s + z), distance(n, m, somewhere(table), a, b), SHOW("distance", table, sizeof table);
            // The strings are in the table.
            fill(s + z), distance(n / 2, m / 2, somewhere(table), (char *)table, (char *)table + 100);
            SHOW("one memory", table, sizeof table);
        }
    size_t page = 1 << 16;
    char *memory = mmap(0, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(memory, page, PROT_NONE), mprotect(memory + 2 * page, page, PROT_NONE);
    for (int s = 0; s < SIZES; s++) {
        int n = sizes[s];
        fill(s), both(n, o, u, v), SHOW("both", o, sizeof o);
        fill(s), memset(a, 0, sizeof a), behind(n, 5, table, a, somewhere(0)), SHOW("behind", table, sizeof table);
        fill(s), behind(n, 5, table, a, x), SHOW("behind", table, sizeof table);
        fill(s), memset(a, 0, sizeof a), value_behind(n, 5, table, a, somewhere(0)), SHOW("value", table, sizeof table);
        fill(s), value_behind(n, 5, table, a, x), SHOW("value", table, sizeof table);
        fill(s), memset(a, 0, sizeof a), behind_a_guard(n, 4, somewhere(0), a, x), SHOW("guard", table, sizeof table);
        fill(s), behind_a_guard(n, 4, table, a, x), SHOW("guard", table, sizeof table);
        // The first row, and the last one, end where memory ends.
        for (int end = 0; end < 2; end++) {
            int *row = (int *)(memory + page + (end ? page - n * sizeof(int) : 0));
            fill(s), memcpy(row, table, n * sizeof(int));
            if (n) a[0] = a[0] == 2 ? 1 : a[0], a[n - 1] = a[n - 1] == 1 ? 2 : a[n - 1];
            if (n == 1) a[0] = 0;
            neighbours(n, row, a), SHOW("neighbours", row, n * sizeof(int) / 8 * 8);
            if (n > 1 && end == 0) three_ways(n / 9, 8, somewhere(row), a, b), SHOW("first row", row, n * sizeof(int) / 8 * 8);
        }
        fill(s), quotient(n, table, x), SHOW("quotient", table, sizeof table);
        fill(s), two_arrays(n, table, t, x), SHOW("two arrays", table, sizeof table), SHOW("two arrays", t, sizeof t);
        fill(s), punned(n, somewhere(table), x), SHOW("punned", table, sizeof table);
        fill(s), twice(n, table, x), SHOW("twice", table, sizeof table);
        fill(s), nested(n, table, x, y), SHOW("nested", table, sizeof table);
    }
}
