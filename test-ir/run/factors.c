// Nests under conditions that factors are other than zero, as the reference BLAS has them: assumed to hold everywhere, which is looked at before. With and without zeros, negative zeros, infinite numbers and numbers that are none,
// with memory that ends where the program stops reading, factors that the nest itself changes, loops that do not run.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=znver4 -w -I%S/Inputs -Rpass=loopwright -Rpass-missed=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=2 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -march=x86-64-v3 -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=6 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// REQUIRES: x86-64-v3
#include "hash.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define KERNEL __attribute__((noinline)) static void

// CHECK: factors.c:[[#@LINE+2]]:5: remark: {{.*}}register tile {{.*}}factors that have to be other than zero; predicted
KERNEL product(int n, int m, int l, double (*c)[m], double (*a)[l], double (*b)[m]) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l; k++)
            if (a[i][k] != 0)
                for (int j = 0; j < m; j++) c[i][j] += a[i][k] * b[k][j];
}

// The other way round, and in floats.
// CHECK: factors.c:[[#@LINE+2]]:5: remark: {{.*}}register tile {{.*}}factors that have to be other than zero; predicted
KERNEL transposed(int n, int m, int l, float (*c)[m], float (*a)[n], float (*b)[m]) {
    for (int k = 0; k < l; k++)
        for (int i = 0; i < n; i++) {
            if (a[k][i] == 0) continue;
            for (int j = 0; j < m; j++) c[i][j] -= a[k][i] * b[k][j];
        }
}

// One triangle; factors of their own rows.
// CHECK: factors.c:[[#@LINE+2]]:5: remark: {{.*}}register tile {{.*}}factors that have to be other than zero; predicted
KERNEL rank(int n, int l, double alpha, double (*c)[n], double (*a)[n]) {
    for (int j = 0; j < n; j++)
        for (int k = 0; k < l; k++)
            if (a[k][j] != 0) {
                double t = alpha * a[k][j];
                for (int i = 0; i <= j; i++) c[j][i] += t * a[k][i];
            }
}

// In place: what is asked for changes only later.
// CHECK: factors.c:[[#@LINE+2]]:5: remark: {{.*}}register tile {{.*}}factors that have to be other than zero; predicted
KERNEL triangle(int n, int m, double alpha, double (*restrict b)[n], double (*restrict a)[n]) {
    for (int j = 0; j < m; j++)
        for (int k = 0; k < n; k++)
            if (b[j][k] != 0) {
                double t = alpha * b[j][k];
                for (int i = 0; i < k; i++) b[j][i] += t * a[k][i];
                b[j][k] = t * a[k][k];
            }
}

// What is asked for has been computed before: it stays as it is.
// CHECK-NOT: factors.c:[[#@LINE+2]]:5: remark: {{.*}}factors that have to be other than zero
KERNEL solve(int n, int m, double (*restrict b)[n], double (*restrict a)[n]) {
    for (int j = 0; j < m; j++)
        for (int k = 0; k < n; k++)
            if (b[j][k] != 0)
                for (int i = k + 1; i < n; i++) b[j][i] -= b[j][k] * a[k][i];
}

// Asked behind another question: where that says no there need not be any memory.
KERNEL nested(int n, int m, int l, double (*c)[m], double *p, double **a, double (*b)[m]) {
    for (int i = 0; i < n; i++)
        if (p[i] != 0)
            for (int k = 0; k < l; k++)
                if (a[i][k] != 0)
                    for (int j = 0; j < m; j++) c[i][j] += a[i][k] * b[k][j];
}

KERNEL both(int n, int m, int l, double (*c)[m], double *p, double (*a)[l], double (*b)[m]) {
    for (int i = 0; i < n; i++)
        if (p[i] != 0)
            for (int k = 0; k < l; k++)
                if (a[i][k] != 0)
                    for (int j = 0; j < m; j++) c[i][j] += p[i] * a[i][k] * b[k][j];
}

// A size that is read behind the question.
struct sizes { int m; };
KERNEL behind(int n, int l, int w, double *c, double (*a)[l], double *b, struct sizes *s) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l; k++)
            if (a[i][k] != 0)
                for (int j = 0; j < s->m; j++) c[i * w + j] += a[i][k] * b[k * w + j];
}

// Every second row, and rows from the end.
KERNEL steps(int n, int m, int l, double (*c)[m], double (*a)[l], double (*b)[m]) {
    for (int i = n - 1; i >= 0; i -= 2)
        for (int k = i & 1; k < l; k += 3)
            if (!(a[i][k] == 0))
                for (int j = 0; j < m; j++) c[i][j] += a[i][k] * b[k][j];
}

static double chosen(int kind, int k, int count) {
    double x = (double)(k * 37 % 101 + 1) / 64;
    int last = k == count - 1, first = k == 0, middle = k == count / 2;
    switch (kind) {
    case 1: return last ? 0 : x;
    case 2: return first ? -0.0 : x;
    case 3: return middle ? 0 : last ? INFINITY : x;
    case 4: return k % 3 ? x : 0;
    case 5: return middle ? NAN : x;
    case 6: return last ? 5e-324 : x;
    case 7: return 0;
    default: return x;
    }
}

// So many bytes in front of memory that nobody may touch.
static void *fenced(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), all = (bytes + page - 1) / page * page + page;
    char *p = mmap(0, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p + all - page, page, PROT_NONE);
    return p + all - page - (bytes + 7) / 8 * 8;
}

static double *doubles(int n, int m, int kind) {
    double *p = fenced((size_t)n * m * sizeof(double));
    for (int k = 0; k < n * m; k++) p[k] = chosen(kind, k, n * m);
    return p;
}

static float *floats(int n, int m, int kind) {
    float *p = fenced((size_t)n * m * sizeof(float));
    for (int k = 0; k < n * m; k++) p[k] = (float)chosen(kind, k, n * m);
    return p;
}

static void show(const char *name, int n, int m, int l, int kind, const void *p, size_t bytes) {
    printf("%s %d %d %d %d %016llx\n", name, n, m, l, kind, (unsigned long long)hash(7, p, bytes));
}

// Of numbers that are none sign and payload are left open.
static void same(double *p, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (p[k] != p[k]) p[k] = NAN;
}

int main(void) {
    static const int sizes[][3] = {{1, 5, 5}, {1, 1, 1}, {2, 1, 40}, {3, 17, 9}, {16, 16, 16}, {33, 40, 20}, {50, 31, 64}, {70, 70, 70}};
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++)
        for (int kind = 0; kind < 8; kind++) {
            int n = sizes[s][0], m = sizes[s][1], l = sizes[s][2];
            double *c = doubles(n, m, 0), *a = doubles(n, l, kind), *b = doubles(l, m, kind == 3 || kind == 5 ? kind : 0);
            if (l && m && kind == 4) b[0] = INFINITY;
            product(n, m, l, (void *)c, (void *)a, (void *)b);
            same(c, (size_t)n * m);
            show("product", n, m, l, kind, c, (size_t)n * m * 8);
            steps(n, m, l, (void *)c, (void *)a, (void *)b);
            same(c, (size_t)n * m);
            show("steps", n, m, l, kind, c, (size_t)n * m * 8);
            double *p = doubles(n, 1, kind == 4 ? 4 : 0);
            both(n, m, l, (void *)c, p, (void *)a, (void *)b);
            same(c, (size_t)n * m);
            show("both", n, m, l, kind, c, (size_t)n * m * 8);
            double **rows = fenced((size_t)n * sizeof *rows);
            for (int i = 0; i < n; i++) rows[i] = p[i] != 0 ? a + i * l : (double *)16;
            nested(n, m, l, (void *)c, p, rows, (void *)b);
            same(c, (size_t)n * m);
            show("nested", n, m, l, kind, c, (size_t)n * m * 8);
            struct sizes of = {m};
            behind(n, l, m, c, (void *)a, b, kind == 7 ? (struct sizes *)16 : &of);
            same(c, (size_t)n * m);
            show("behind", n, m, l, kind, c, (size_t)n * m * 8);
            float *cf = floats(n, m, 0), *af = floats(l, n, kind), *bf = floats(l, m, 0);
            transposed(n, m, l, (void *)cf, (void *)af, (void *)bf);
            for (int k = 0; k < n * m; k++)
                if (cf[k] != cf[k]) cf[k] = NAN;
            show("transposed", n, m, l, kind, cf, (size_t)n * m * 4);
            double *square = doubles(n, n, 0), *factors = doubles(l, n, kind);
            rank(n, l, 0.5, (void *)square, (void *)factors);
            same(square, (size_t)n * n);
            show("rank", n, m, l, kind, square, (size_t)n * n * 8);
            double *own = doubles(m, n, kind), *unit = doubles(n, n, 0);
            for (int k = 0; k < n * n; k++) unit[k] /= n;
            triangle(n, m, 0.5, (void *)own, (void *)unit);
            same(own, (size_t)m * n);
            show("triangle", n, m, l, kind, own, (size_t)m * n * 8);
            own = doubles(m, n, kind);
            solve(n, m, (void *)own, (void *)unit);
            same(own, (size_t)m * n);
            show("solve", n, m, l, kind, own, (size_t)m * n * 8);
            // The factors in what is written.
            double *all = doubles(2 * n + l, m + l, kind);
            if (l <= m && n <= 30) {
                product(n, m, l, (void *)(all + l), (void *)all, (void *)(all + n));
                same(all, (size_t)(2 * n + l) * (m + l));
                show("meeting", n, m, l, kind, all, (size_t)(2 * n + l) * (m + l) * 8);
            }
        }
}
