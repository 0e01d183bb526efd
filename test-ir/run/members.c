// Sizes and addresses that are members: loaded again in every iteration because LLVM does not know that what is stored leaves them alone (`char`), loaded once for each loop of a nest, or under a condition only. Objects that
// are overwritten by what the loops store, whose members then are other ones.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=2 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KERNEL __attribute__((noinline)) static void

struct image {
    int w, h;
    uint8_t *p;
};
struct matrix {
    int rows, columns;
    double *d;
};
struct tensor {
    int n, c, h, w;
    float *d;
};

// CHECK: members.c:[[#@LINE+2]]:5: remark: accesses told apart
KERNEL edges(const struct image s[static 1], struct image d[static 1]) {
    for (int y = 1; y < s->h - 1; ++y)
        for (int x = 1; x < s->w - 1; ++x) {
            int gx = s->p[y * (long)s->w + x + 1] - s->p[y * (long)s->w + x - 1];
            int gy = s->p[(y + 1) * (long)s->w + x] - s->p[(y - 1) * (long)s->w + x];
            gx = abs(gx) + abs(gy);
            d->p[y * (long)d->w + x] = gx < 255 ? gx : 255;
        }
}

KERNEL downwards(struct image d[static 1]) {
    for (int y = d->h - 1; y >= d->w / 4; --y)
        for (int x = d->w - 1; x != 3; --x) d->p[y * (long)d->w + x] += x + y;
}

// CHECK: members.c:[[#@LINE+2]]:5: remark: {{.*}}run-time checks
KERNEL blurred(const struct image s[static 1], struct image d[static 1], int r) {
    for (int y = r; y < s->h - r; ++y)
        for (int x = r; x < s->w - r; ++x) {
            int sum = 0;
            for (int v = -r; v <= r; ++v)
                for (int u = -r; u <= r; ++u) sum += s->p[(y + v) * (long)s->w + x + u];
            d->p[y * (long)d->w + x] = sum / ((2 * r + 1) * (2 * r + 1));
        }
}

#define A(i, j) a->d[(size_t)(i)*a->columns + (j)]

// CHECK: members.c:[[#@LINE+3]]:5: remark: {{.*}}register tile
KERNEL factorised(struct matrix a[static 1]) {
    int n = a->rows;
    for (int k = 0; k < n - 1; k++) {
        for (int i = k + 1; i < n; i++) A(i, k) = A(i, k) / A(k, k);
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++) A(i, j) = A(i, j) - A(i, k) * A(k, j);
    }
}

#define X(n, ch, i, j) x->d[(((n)*x->c + (ch)) * x->h + (i)) * x->w + (j)]
#define K(n, ch, i, j) k->d[(((n)*k->c + (ch)) * k->h + (i)) * k->w + (j)]
#define Y(n, ch, i, j) y->d[(((n)*y->c + (ch)) * y->h + (i)) * y->w + (j)]

// CHECK: members.c:[[#@LINE+4]]:{{.*}}: remark: {{.*}}register tile
KERNEL convolved(const struct tensor x[static 1], const struct tensor k[static 1], struct tensor y[static 1]) {
    for (int n = 0; n < y->n; n++)
        for (int o = 0; o < y->c; o++)
            for (int i = 0; i < y->h; i++)
                for (int j = 0; j < y->w; j++) {
                    float s = 0;
                    for (int ch = 0; ch < x->c; ch++)
                        for (int u = 0; u < k->h; u++)
                            for (int v = 0; v < k->w; v++) s += X(n, ch, i + u, j + v) * K(o, ch, u, v);
                    Y(n, o, i, j) = s;
                }
}

// The limit is a distance of pointers, and so is part of an address.
// CHECK: members.c:[[#@LINE+3]]:5: remark: loops in 4 vectors of 16 lanes
KERNEL reversed(const float *from, const float *to, const float *x, float *y, const float *end) {
    size_t n = end - y, taps = to - from;
    for (size_t i = 0; i < n; ++i) {
        float s = 0;
        for (size_t k = 0; k < taps; ++k) s += from[k] * x[i + taps - 1 - k];
        y[i] = s;
    }
}

static _Alignas(8) uint8_t s[70 * 70 + 100], d[70 * 70 + 100];
static double m[70 * 70];
static float f[16 * 700], g[16 * 700], h[16 * 700];

static void fill(unsigned seed) {
    for (size_t i = 0; i < sizeof s; i++) seed = seed * 1664525 + 1013904223, s[i] = seed >> 24, d[i] = i;
    for (size_t i = 0; i < 70 * 70; i++) seed = seed * 1664525 + 1013904223, m[i] = (seed >> 20) / 9000.0 + (i % 71 == 0) * 3;
    for (size_t i = 0; i < 16 * 700; i++) seed = seed * 1664525 + 1013904223, f[i] = (seed >> 20) / 4096.0f, g[i] = f[i] - 0.5f, h[i] = i;
}

#define SHOW(name, array) printf("%s %d %lx\n", name, n, hash(1, array, sizeof array))

int main(void) {
    static const int sizes[] = {0, 1, 2, 3, 4, 5, 8, 9, 16, 17, 31, 40, 64, 70};
    for (int k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int n = sizes[k];
        struct image from = {n, n - k % 2, s}, to = {n, n, d};
        fill(k), edges(&from, &to), SHOW("edges", d);
        fill(k), to.p = s, edges(&from, &to), SHOW("in place", s), to.p = d;
        if (n > 3) fill(k), downwards(&to), SHOW("downwards", d);
        for (int r = 0; r < 4; r++) fill(k), blurred(&from, &to, r), SHOW("blurred", d);
        // The object lies where the picture does: its width becomes 0 in the middle of a row.
        if (n > 12) {
            fill(k);
            struct image *inside = (void *)(d + ((n * (n / 2) + 8) & ~7));
            inside->w = n, inside->h = n / 2 + 3, inside->p = s;
            struct image over = {n, n, d};
            for (size_t i = 0; i < sizeof s; i++) s[i] = 0;
            // What is stored is nothing, so sizes only fall, and the loops end.
            edges(inside, &over), inside->p = 0, SHOW("overwritten", d);
        }
        for (int more = 0; more < 2; more++) {
            struct matrix a = {n - more, n, m};
            fill(k), factorised(&a), SHOW("factorised", m);
        }
        struct tensor x = {2, 3, n / 2 + 2, n / 4 + 2, f}, w = {3, 3, 3, 3, g}, y = {2, 3, n / 2, n / 4, h};
        fill(k), convolved(&x, &w, &y), SHOW("convolved", h);
        fill(k), w.h = 1, convolved(&x, &w, &y), SHOW("convolved", h);
        fill(k), x.c = 0, convolved(&x, &w, &y), SHOW("convolved", h);
        for (int taps = 0; taps < 10; taps += 3) fill(k), reversed(f, f + taps, g, h, h + 10 * n), SHOW("reversed", h);
    }
}
