// Kernels over windows, and what runs them for many sizes; see `convolutions.c` and `sum_starts.c`. They can be called from elsewhere, for all that the compiler knows.
#include "hash.h"
#include <stdio.h>

#define KERNEL __attribute__((noinline)) void
#define LOOP(i, n) for (int i = 0; i < n; i++)
#define POINTS LOOP(i, h) LOOP(j, w)
#define WINDOW LOOP(p, u) LOOP(q, v)

typedef unsigned char byte;

enum { BYTES = 1 << 16 };
static _Alignas(64) unsigned char memory[4 * BYTES];

// `h` by `w` points, windows of `u` by `v`, what they go over: `tall` by `wide`.
#define SIZES int h, int w, int u, int v, int tall, int wide
// Rows as long as they have to be, as a size of its own or a sum of two.
#define ARRAYS(T) SIZES, T (*out)[w], T (*in)[w + v], T (*f)[v], T *more
#define APART(T) SIZES, T (*restrict out)[w], T (*restrict in)[wide], T (*restrict f)[v], T *restrict more
#define FLAT(T) SIZES, T *out, T *in, T *f, T *more
#define TERM in[i + p][j + q] * f[p][q]

static const int sizes[][4] = {
    {0, 0, 0, 0}, {1, 1, 1, 1}, {0, 5, 3, 3}, {5, 0, 3, 3}, {4, 6, 0, 3}, {4, 9, 3, 0}, {8, 16, 0, 0}, {1, 17, 2, 3},
    {17, 1, 3, 2}, {5, 8, 3, 3}, {8, 8, 2, 5}, {6, 9, 5, 2}, {9, 16, 3, 3}, {12, 24, 1, 7}, {13, 31, 7, 1}, {16, 33, 4, 4},
    {24, 40, 3, 5}, {7, 64, 5, 3}, {30, 30, 6, 6}, {8, 17, 9, 9},
};
static const int negative_sizes[][4] = {{-1, 4, 3, 3}, {4, -3, 3, 3}, {6, 9, -1, 3}, {6, 9, 3, -2}, {8, 16, -5, -4}, {-8, -16, 5, 4}};

#define FILL(T)                                                                                                                   \
    KERNEL fill_##T(void) {                                                                                                       \
        LOOP(k, (int)(sizeof memory / sizeof(T))) {                                                                               \
            ((T *)memory)[k] = (T)((k * 7 + k / 64 * 5) % 23 - 11) / (T)((T)0.5 == 0 ? 1 : 31);                                   \
        }                                                                                                                         \
    }
FILL(double) FILL(float) FILL(unsigned) FILL(byte) FILL(short) FILL(long) FILL(int) FILL(uint64_t)

#define OVER(table, name, T, X, Y, ...)                                                                                           \
    LOOP(s, (int)(sizeof table / sizeof *table)) {                                                                                \
        fill_##T();                                                                                                               \
        name(table[s][0], table[s][1], table[s][2], table[s][3], table[s][0] + table[s][2],                                       \
             table[s][1] + table[s][3], (void *)(X), (void *)(Y), ##__VA_ARGS__);                                                 \
        all = hash(all, memory, sizeof memory);                                                                                                          \
    }

#define SHOW(what) printf("%s %016llx\n", what, (unsigned long long)all)
#define FIRST memory
#define SECOND (memory + BYTES)
#define THIRD (void *)(memory + 2 * BYTES)
#define FOURTH (void *)(memory + 3 * BYTES)

#define RUN(name, T) { uint64_t all = 1; OVER(sizes, name, T, FIRST, SECOND, THIRD, FOURTH) SHOW(#name); }
#define RUN_THREE(name, T) { uint64_t all = 1; OVER(sizes, name, T, FIRST, SECOND, THIRD) SHOW(#name); }
#define RUN_TWO(name, T) { uint64_t all = 1; OVER(sizes, name, T, FIRST, SECOND) SHOW(#name); }
#define RUN_NEGATIVE(name, T) { uint64_t all = 1; OVER(negative_sizes, name, T, FIRST, SECOND, THIRD, FOURTH) SHOW(#name " negative"); }
#define RUN_NEGATIVE_THREE(name, T) { uint64_t all = 1; OVER(negative_sizes, name, T, FIRST, SECOND, THIRD) SHOW(#name " negative"); }
// The same array, one a little further on, the filter among the points.
#define RUN_OVERLAPPING(name, T, ...)                                                                                             \
    {                                                                                                                             \
        uint64_t all = 1;                                                                                                         \
        OVER(sizes, name, T, memory, memory, THIRD, ##__VA_ARGS__)                                                                \
        OVER(sizes, name, T, memory + 96, memory, THIRD, ##__VA_ARGS__)                                                           \
        OVER(sizes, name, T, memory, memory + sizeof(T), THIRD, ##__VA_ARGS__)                                                    \
        OVER(sizes, name, T, memory, SECOND, (void *)(memory + 80), ##__VA_ARGS__)                                                \
        SHOW(#name " overlapping");                                                                                               \
    }
