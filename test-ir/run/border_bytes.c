// Filters with borders whose terms are unrolled, and whose sums are of another type than what is stored, or are used for several stores: they have memory of our own. Pictures smaller than the filter, pictures in each other.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=emeraldrapids -w -I%S/Inputs -Rpass=loopwright %s -c -o %t.o 2>&1 | %FileCheck %s
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=5 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -march=x86-64-v3 -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -march=x86-64-v3 -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -march=x86-64-v3 -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=6 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// REQUIRES: x86-64-v3
#include "hash.h"
#include <stdint.h>
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static void
#define BYTE(S) ((S) < 0 ? 0 : (S) > 255 ? 255 : (uint8_t)(S))

// A filter of pictures: what is outside of them is left out.
#define FILTER(NAME, IN, OUT, SUM, WEIGHT, K, START, END) \
    KERNEL NAME(int n, int m, OUT *o, const IN *x, const WEIGHT *w) { \
        for (int i = 0; i < n; i++) \
            for (int j = 0; j < m; j++) { \
                SUM s = START; \
                for (int u = -K / 2; u < K - K / 2; u++) \
                    for (int v = -K / 2; v < K - K / 2; v++) { \
                        if (i + u < 0 || i + u >= n || j + v < 0 || j + v >= m) continue; \
                        s += x[(i + u) * m + j + v] * w[(u + K / 2) * K + v + K / 2]; \
                    } \
                o[i * m + j] = END; \
            } \
    }
// CHECK: border_bytes.c:[[#@LINE+1]]:1: remark: {{.*}}lanes
FILTER(by_floats, uint8_t, uint8_t, float, float, 3, 0, BYTE(s))
// CHECK: border_bytes.c:[[#@LINE+1]]:1: remark: {{.*}}lanes
FILTER(by_numbers, uint8_t, uint8_t, int, int, 3, 0, BYTE(s))
FILTER(by_bytes, uint8_t, int16_t, int, int8_t, 3, w[0], s >> 2)
// CHECK: border_bytes.c:[[#@LINE+1]]:1: remark: {{.*}}lanes
FILTER(of_two, uint16_t, uint8_t, unsigned, uint8_t, 2, 3, s / 4)
FILTER(of_doubles, float, float, double, float, 3, 0, (float)s)
FILTER(of_four, int8_t, int, long, int16_t, 4, n, (int)(s / 7))

KERNEL box(int n, int m, uint8_t *o, const uint8_t *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int s = 0;
            for (int u = -1; u <= 1; u++)
                for (int v = -1; v <= 1; v++)
                    if (i + u >= 0 && i + u < n && j + v >= 0 && j + v < m) s += x[(i + u) * m + j + v];
            o[i * m + j] = s / 9;
        }
}

// Two sums, one result.
// CHECK: border_bytes.c:[[#@LINE+3]]:5: remark: {{.*}}lanes
KERNEL edges(int n, int m, uint8_t *o, const uint8_t *x) {
    static const int weight[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int across = 0, down = 0;
            for (int u = -1; u <= 1; u++)
                for (int v = -1; v <= 1; v++) {
                    if (i + u < 0 || i + u >= n || j + v < 0 || j + v >= m) continue;
                    across += x[(i + u) * m + j + v] * weight[u + 1][v + 1];
                    down += x[(i + u) * m + j + v] * weight[v + 1][u + 1];
                }
            int s = (across < 0 ? -across : across) + (down < 0 ? -down : down);
            o[i * m + j] = BYTE(s);
        }
}

// One sum, two results.
KERNEL mean_and_half(int n, int m, uint8_t *o, int16_t *p, const uint8_t *x, const int *w) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int s = 0;
            for (int u = -1; u <= 1; u++)
                for (int v = -1; v <= 1; v++) {
                    if (i + u < 0 || i + u >= n || j + v < 0 || j + v >= m) continue;
                    s += x[(i + u) * m + j + v] * w[3 * u + v + 4];
                }
            o[i * m + j] = s / 9;
            p[i * m + j] = s >> 1;
        }
}

KERNEL spread(int n, int m, float *o, const int16_t *x) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int s = 0, q = 0;
            for (int u = -1; u <= 1; u++)
                for (int v = -1; v <= 1; v++) {
                    if (i + u < 0 || i + u >= n || j + v < 0 || j + v >= m) continue;
                    int a = x[(i + u) * m + j + v];
                    s += a;
                    q += a * a;
                }
            o[i * m + j] = q / 9.0f - (s / 9.0f) * (s / 9.0f);
        }
}

// Whether it is stored data decide.
KERNEL marked(int n, int m, uint8_t *o, const uint8_t *x, const int *w, int least) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int s = 0;
            for (int u = -1; u <= 1; u++)
                for (int v = -1; v <= 1; v++)
                    if (i + u >= 0 && i + u < n && j + v >= 0 && j + v < m)
                        s += x[(i + u) * m + j + v] * w[3 * u + v + 4];
            if (s > least) o[i * m + j] = 255;
        }
}

// Along a line, with a value that goes on from point to point.
KERNEL line(int n, int16_t *o, const uint8_t *x, const int16_t *w) {
    int16_t before = 3;
    for (int i = 0; i < n; i++) {
        int s = before;
        for (int u = -2; u <= 2; u++)
            if (i + u >= 0 && i + u < n) s += x[i + u] * w[u + 2];
        before = x[i];
        o[i] = s >> 3;
    }
}

enum { CELLS = 8 * 40 * 70 };
static uint8_t o[CELLS], p[CELLS], x[CELLS], w[CELLS];

static void fill(uint8_t *memory, int seed) {
    for (int i = 0; i < CELLS; i++) memory[i] = ((unsigned)i * 2654435761u ^ seed * 40503u) >> 11;
}

static void fill_floats(void *memory, int seed) {
    for (int i = 0; i < CELLS / 4; i++) ((float *)memory)[i] = (int)((i * 2654435761u ^ seed) >> 21) * 0.37f - 300;
}

#define TRY(CALL) \
    fill(o, n), fill(p, m), fill(x, n + m), fill(w, n - m), CALL, \
        printf("%s %016llx\n", #CALL, (unsigned long long)hash(hash(7, o, sizeof o), p, sizeof p))
#define TRY_FLOATS(CALL) \
    fill(o, n), fill(x, n + m), fill_floats(w, n - m), CALL, printf("%s %016llx\n", #CALL, (unsigned long long)hash(7, o, sizeof o))

int main(void) {
    static const int sizes[] = {-1, 0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 32, 40};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    for (int a = 0; a < SIZES; a++)
        for (int b = 0; b < SIZES; b += 1 + a % 3) {
            int n = sizes[a], m = sizes[b] + (b == SIZES - 1 ? 27 : 0);
            TRY_FLOATS(by_floats(n, m, o, x, (void *)w));
            TRY(by_numbers(n, m, o, x, (void *)w));
            TRY(by_bytes(n, m, (void *)o, x, (void *)w));
            TRY(of_two(n, m, o, (void *)x, w));
            TRY(of_four(n, m, (void *)o, (void *)x, (void *)w));
            TRY(box(n, m, o, x));
            TRY(box(n, m, x, x));
            TRY(box(n, m, x + 1, x));
            TRY(edges(n, m, o, x));
            TRY(mean_and_half(n, m, o, (void *)p, x, (void *)w));
            TRY(mean_and_half(n, m, o, (void *)(o + 2 * CELLS / 4), x, (void *)w));
            TRY(marked(n, m, o, x, (void *)w, 1 << 20));
            TRY_FLOATS((fill_floats(x, m), of_doubles(n, m, (void *)o, (void *)x, (void *)w)));
            TRY(spread(n, m, (void *)o, (void *)x));
        }
    for (int n = -1; n < 140; n += n < 40 ? 1 : 13) {
        int m = 0;
        TRY(line(n, (void *)o, x, (void *)w));
        TRY(line(n, (void *)o, o + 1, (void *)w));
    }
}
