// Two values carried round a loop, both needed after they have changed: the memory of the second was known by the load of the pointer to `x`, and whoever read
// `x` read that memory.
// RUN: %clang -O3 %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 %s -o %t.auto -lm && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force %s -o %t.force -lm && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=kernels %s -o %t.kernels -lm && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -fno-strict-aliasing %s -o %t.a.plain -lm && %t.a.plain > %t.a.expected
// RUN: %loopwright-clang -O3 -fno-strict-aliasing %s -o %t.a.auto -lm && %t.a.auto > %t.a.out && diff %t.a.expected %t.a.out
// RUN: %loopwright-clang -O3 -fno-strict-aliasing -mllvm -loopwright-policy=force %s -o %t.a.force -lm && %t.a.force > %t.a.out && diff %t.a.expected %t.a.out
// RUN: %loopwright-clang -O3 -fno-strict-aliasing -mllvm -loopwright-policy=kernels %s -o %t.a.kernels -lm && %t.a.kernels > %t.a.out && diff %t.a.expected %t.a.out
#include <stdio.h>
#include <string.h>

enum { MOST = 1 << 20 };

struct chars { signed char *x, *y; };
struct floats { float *x, *y; };

__attribute__((noinline)) void of_chars(struct chars *p, long n, long m, float a, float b) {
    for (long r = 0; r < m; r++) {
        float s = 1, u = 2;
        for (long i = 0; i < n; i++) {
            float e = p->x[r * n + i], t = s, v = u;
            s = a * s + e, u = b * u - e * 3;
            p->y[r * n + i] = (int)((s - v) * t + u * v) & 127;
        }
    }
}

__attribute__((noinline)) void of_floats(struct floats *p, long n, long m, float a, float b) {
    for (long r = 0; r < m; r++) {
        float s = 1, u = 2;
        for (long i = 0; i < n; i++) {
            float e = p->x[r * n + i], t = s, v = u;
            s = a * s + e, u = b * u - e * 3;
            p->y[r * n + i] = (s - v) * t + u * v;
        }
    }
}

__attribute__((noinline)) void by_columns(struct floats *p, long n, long m, float a, float b) {
    for (long r = 0; r < m; r++) {
        float s = 1, u = 2;
        for (long i = 0; i < n; i++) {
            float e = p->x[i * m + r], t = s, v = u;
            s = a * v + e * t, u = b * t - e * v;
            p->y[i * m + r] = s + u;
        }
    }
}

static signed char c[MOST], d[MOST];
static float f[MOST], g[MOST];

static void hash(const void *p, size_t bytes) {
    unsigned h = 0;
    for (size_t k = 0; k < bytes; k++) h = h * 31 + ((const unsigned char *)p)[k];
    printf("%u\n", h);
}

int main(void) {
    for (int i = 0; i < MOST; i++) c[i] = (signed char)(i * 37 % 101), f[i] = (float)(i * 37 % 101) * 0.01f;
    struct chars chars = {c, d};
    struct floats floats = {f, g};
    for (long n = 0; n <= 1000; n = n < 3 ? n + 1 : n + 331) {
        of_chars(&chars, n, 1000, 0.5f, 0.25f), hash(d, sizeof d);
        of_floats(&floats, n, 1000, 0.5f, 0.25f), hash(g, sizeof g);
        by_columns(&floats, n, 1000, 0.3f, 0.7f), hash(g, sizeof g);
    }
    return 0;
}
