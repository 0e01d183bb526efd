// Transposes, and rows or columns that are divided by what is summed over them: in all types of elements, in place and not, with what is stored in between read or not, for all small sizes.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto -lm && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels -lm && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=7 %s -o %t.random -lm && %t.random > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force -lm && %t.force > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -I%S/Inputs -ffp-contract=off %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -I%S/Inputs -ffp-contract=off %s -o %t.auto -lm && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -march=native -w -I%S/Inputs -ffp-contract=fast %s -o %t.plain -lm && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -ffp-contract=fast %s -o %t.auto -lm && %t.auto > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <math.h>
#include <stdio.h>

#define KERNEL __attribute__((noinline)) void
#define LOOP(i, n) for (int i = 0; i < n; i++)
#define CELLS LOOP(i, n) LOOP(j, m)

typedef unsigned char byte;
typedef struct {
    double re, im;
} pair;

enum { BYTES = 1 << 16, MOST = 41 };
static _Alignas(64) unsigned char memory[3 * BYTES + 4096];

// `n` rows of `m`, and a vector.
#define ARRAYS(T) int n, int m, T (*A)[m], T (*B)[n], T *x
#define APART(T) int n, int m, T (*restrict A)[m], T (*restrict B)[n], T *restrict x
#define ROWS(T) int n, int m, T (*restrict A)[m], T (*restrict B)[m], T *restrict x
#define FLAT(T) int n, int m, T *A, T *B, T *x

#define TRANSPOSES(name, T)                                                                                                       \
    KERNEL name##_transposed(APART(T)) { CELLS B[j][i] = A[i][j]; }                                                               \
    KERNEL name##_transposed_by_columns(ARRAYS(T)) { LOOP(j, m) LOOP(i, n) B[j][i] = A[i][j]; }                                   \
    KERNEL name##_transposed_flat(FLAT(T)) { CELLS B[j * n + i] = A[i * m + j]; }                                                 \
    KERNEL name##_transposed_padded(int n, int m, T (*restrict A)[48], T (*restrict B)[48], T *restrict x) {                      \
        CELLS B[j][i] = A[i][j];                                                                                                  \
    }

#define MORE_TRANSPOSES(name, T)                                                                                                  \
    TRANSPOSES(name, T)                                                                                                           \
    KERNEL name##_added(APART(T)) { CELLS B[j][i] += A[i][j] * x[0]; }                                                            \
    KERNEL name##_added_to_twice(ARRAYS(T)) { CELLS B[j][i] = B[j][i] * x[i] + A[i][j]; }                                         \
    KERNEL name##_both_ways(ARRAYS(T)) {                                                                                          \
        CELLS B[j][i] = A[i][j] + 1;                                                                                              \
        LOOP(j, m) LOOP(i, n) A[i][j] = B[j][i] * 2;                                                                              \
    }                                                                                                                             \
    KERNEL name##_turned(APART(T)) { CELLS B[m - 1 - j][i] = A[i][j]; }                                                           \
    KERNEL name##_turned_back(APART(T)) { CELLS B[j][n - 1 - i] = A[i][j]; }                                                      \
    KERNEL name##_in_place(int n, T (*A)[n]) {                                                                                    \
        LOOP(i, n) LOOP(j, i) {                                                                                                   \
            T old = A[i][j];                                                                                                      \
            A[i][j] = A[j][i];                                                                                                    \
            A[j][i] = old;                                                                                                        \
        }                                                                                                                         \
    }                                                                                                                             \
    KERNEL name##_mirrored(int n, T (*A)[n]) { LOOP(i, n) LOOP(j, i) A[j][i] = A[i][j]; }                                         \
    KERNEL name##_made_symmetric(int n, T (*restrict A)[n], T (*restrict B)[n]) {                                                 \
        LOOP(i, n) LOOP(j, n) B[i][j] = A[i][j] + A[j][i];                                                                        \
    }                                                                                                                             \
    KERNEL name##_of_a_triangle(int n, T (*restrict A)[n], T (*restrict B)[n]) { LOOP(i, n) LOOP(j, i + 1) B[j][i] = A[i][j]; }   \
    KERNEL name##_planes(int n, int m, T (*restrict A)[m][3], T (*restrict B)[n][m]) { LOOP(c, 3) CELLS B[c][i][j] = A[i][j][c]; } \
    KERNEL name##_interleaved(int n, int m, T (*restrict A)[m], T (*restrict B)[n][2]) {                                          \
        CELLS B[j][i][0] = A[i][j], B[j][i][1] = A[i][j] + 1;                                                                     \
    }                                                                                                                             \
    KERNEL name##_rows_swapped(APART(T)) { CELLS A[i][j] = i * 2 < n ? A[n - 1 - i][j] : A[i][j]; }                               \
    KERNEL name##_and_sums(APART(T)) {                                                                                            \
        LOOP(i, n) {                                                                                                              \
            x[i] = 0;                                                                                                             \
            LOOP(j, m) B[j][i] = A[i][j], x[i] += A[i][j];                                                                        \
        }                                                                                                                         \
    }
MORE_TRANSPOSES(doubles, double)
MORE_TRANSPOSES(floats, float)
MORE_TRANSPOSES(ints, unsigned)
TRANSPOSES(longs, uint64_t)
TRANSPOSES(shorts, short)
TRANSPOSES(bytes, byte)
TRANSPOSES(pairs, pair)
KERNEL widened(int n, int m, float (*restrict A)[m], double (*restrict B)[n], float *restrict x) { CELLS B[j][i] = A[i][j]; }
KERNEL narrowed(int n, int m, double (*restrict A)[m], float (*restrict B)[n], double *restrict x) { CELLS B[j][i] = A[i][j]; }
KERNEL bytes_to_floats(int n, int m, byte (*restrict A)[m], float (*restrict B)[n], byte *restrict x) { CELLS B[j][i] = A[i][j] * (1.0f / 255); }
KERNEL to_bytes(int n, int m, int (*restrict A)[m], byte (*restrict B)[n], int *restrict x) { CELLS B[j][i] = A[i][j] >> 2; }

#define NORMS(name, T, ROOT)                                                                                                      \
    KERNEL name##_layer(ROWS(T)) {                                                                                                \
        LOOP(i, n) {                                                                                                              \
            T mean = 0, variance = 0;                                                                                             \
            LOOP(j, m) mean += A[i][j];                                                                                           \
            mean /= m + 1;                                                                                                        \
            LOOP(j, m) variance += (A[i][j] - mean) * (A[i][j] - mean);                                                           \
            T scale = 1 / ROOT(variance / (m + 1) + (T)1e-3);                                                                     \
            LOOP(j, m) B[i][j] = (A[i][j] - mean) * scale * x[j] + x[m + j];                                                      \
        }                                                                                                                         \
    }                                                                                                                             \
    KERNEL name##_layer_in_memory(ROWS(T)) {                                                                                      \
        LOOP(i, n) {                                                                                                              \
            x[i] = 0;                                                                                                             \
            LOOP(j, m) x[i] += A[i][j];                                                                                           \
            x[i] /= m + 1;                                                                                                        \
            x[n + i] = 0;                                                                                                         \
            LOOP(j, m) x[n + i] += (A[i][j] - x[i]) * (A[i][j] - x[i]);                                                           \
            LOOP(j, m) B[i][j] = (A[i][j] - x[i]) / ROOT(x[n + i] + 1);                                                           \
        }                                                                                                                         \
    }                                                                                                                             \
    KERNEL name##_unit_rows(int n, int m, T (*A)[m]) {                                                                            \
        LOOP(i, n) {                                                                                                              \
            T sum = 0;                                                                                                            \
            LOOP(j, m) sum += A[i][j] * A[i][j];                                                                                  \
            T norm = ROOT(sum) + (T)0.5;                                                                                          \
            LOOP(j, m) A[i][j] /= norm;                                                                                           \
        }                                                                                                                         \
    }                                                                                                                             \
    KERNEL name##_root_each_time(ROWS(T)) {                                                                                       \
        LOOP(i, n) {                                                                                                              \
            x[i] = 1;                                                                                                             \
            LOOP(j, m) x[i] += A[i][j] * A[i][j];                                                                                 \
        }                                                                                                                         \
        CELLS B[i][j] = A[i][j] / ROOT(x[i]);                                                                                     \
    }                                                                                                                             \
    KERNEL name##_root_of_both(int n, int m, T (*restrict A)[n], T (*restrict B)[n], T *restrict x) {                             \
        LOOP(i, n) LOOP(j, n) B[i][j] = A[i][j] / (ROOT(x[i] * x[i]) * ROOT(x[j] * x[j] + 1) + 1);                                \
    }                                                                                                                             \
    KERNEL name##_correlation(int n, int m, T (*restrict A)[m], T (*restrict C)[m], T *restrict x) {                              \
        LOOP(j, m) {                                                                                                              \
            x[j] = 0;                                                                                                             \
            LOOP(i, n) x[j] += A[i][j];                                                                                           \
            x[j] /= n + 1;                                                                                                        \
        }                                                                                                                         \
        LOOP(j, m) {                                                                                                              \
            x[m + j] = 0;                                                                                                         \
            LOOP(i, n) x[m + j] += (A[i][j] - x[j]) * (A[i][j] - x[j]);                                                           \
            x[m + j] = ROOT(x[m + j] / (n + 1)) + (T)0.1;                                                                         \
        }                                                                                                                         \
        CELLS A[i][j] = (A[i][j] - x[j]) / (ROOT((T)n) * x[m + j]);                                                               \
        LOOP(k, m) LOOP(j, m) {                                                                                                   \
            C[k][j] = 0;                                                                                                          \
            LOOP(i, n) C[k][j] += A[i][k] * A[i][j];                                                                              \
        }                                                                                                                         \
    }                                                                                                                             \
    KERNEL name##_unit_columns(int n, int m, T (*restrict A)[m], T *restrict x) {                                                 \
        LOOP(j, m) {                                                                                                              \
            T sum = 0;                                                                                                            \
            LOOP(i, n) sum += A[i][j] * A[i][j];                                                                                  \
            LOOP(i, n) A[i][j] /= ROOT(sum) + 1;                                                                                  \
            x[j] = sum;                                                                                                           \
        }                                                                                                                         \
    }                                                                                                                             \
    KERNEL name##_transposed_unit_rows(APART(T)) {                                                                                \
        LOOP(i, n) {                                                                                                              \
            T sum = 0;                                                                                                            \
            LOOP(j, m) sum += A[i][j] * A[i][j];                                                                                  \
            LOOP(j, m) B[j][i] = A[i][j] / (ROOT(sum) + 1);                                                                       \
        }                                                                                                                         \
    }                                                                                                                             \
    KERNEL name##_greatest(ROWS(T)) {                                                                                             \
        LOOP(i, n) {                                                                                                              \
            T most = -1;                                                                                                          \
            LOOP(j, m) most = A[i][j] > most ? A[i][j] : most;                                                                    \
            T sum = 0;                                                                                                            \
            LOOP(j, m) sum += B[i][j] = (A[i][j] - most) * (A[i][j] - most);                                                      \
            LOOP(j, m) B[i][j] /= sum + 1;                                                                                        \
        }                                                                                                                         \
    }                                                                                                                             \
    KERNEL name##_by_the_first(int n, int m, T (*A)[m]) {                                                                         \
        LOOP(i, n) for (int j = m - 1; j >= 0; j--) A[i][j] = A[i][j] / (A[i][0] * A[i][0] + 1);                                  \
    }                                                                                                                             \
    KERNEL name##_by_the_row_before(int n, int m, T (*A)[m]) {                                                                    \
        for (int i = 1; i < n; i++) {                                                                                             \
            T sum = 1;                                                                                                            \
            LOOP(j, m) sum += A[i - 1][j] * A[i - 1][j];                                                                          \
            LOOP(j, m) A[i][j] /= sum;                                                                                            \
        }                                                                                                                         \
    }                                                                                                                             \
    KERNEL name##_distances(int n, int m, T (*restrict A)[m], T (*restrict B)[n], T *restrict x) {                                \
        LOOP(i, n) LOOP(k, n) {                                                                                                   \
            T sum = 0;                                                                                                            \
            LOOP(j, m) sum += (A[i][j] - A[k][j]) * (A[i][j] - A[k][j]);                                                          \
            B[i][k] = ROOT(sum);                                                                                                  \
        }                                                                                                                         \
    }                                                                                                                             \
    KERNEL name##_groups(int n, int m, T (*restrict A)[m][4], T (*restrict B)[m][4], T *restrict x) {                             \
        LOOP(i, n) LOOP(j, m) {                                                                                                   \
            T sum = 0;                                                                                                            \
            LOOP(c, 4) sum += A[i][j][c] * A[i][j][c];                                                                            \
            LOOP(c, 4) B[i][j][c] = A[i][j][c] / (ROOT(sum) + x[c] * x[c] + 1);                                                   \
        }                                                                                                                         \
    }
NORMS(double, double, sqrt)
NORMS(float, float, sqrtf)
#define LAST_BITS(x) (((x) & 7) + 1)
NORMS(int, int, LAST_BITS)
KERNEL mixed_layer(int n, int m, float (*restrict A)[m], float (*restrict B)[m], float *restrict x) {
    LOOP(i, n) {
        double mean = 0, variance = 0;
        LOOP(j, m) mean += A[i][j];
        mean /= m;
        LOOP(j, m) variance += (A[i][j] - mean) * (A[i][j] - mean);
        double scale = 1 / sqrt(variance / m + 1e-3);
        LOOP(j, m) B[i][j] = (A[i][j] - mean) * scale;
    }
}

#define FILL(T)                                                                                                                   \
    KERNEL fill_##T(void) {                                                                                                       \
        LOOP(k, (int)(sizeof memory / sizeof(T))) ((T *)memory)[k] = (T)((k * 7 + k / 64 * 5) % 23 - 9) / (T)((T)0.5 == 0 ? 1 : 11); \
    }
FILL(double) FILL(float) FILL(unsigned) FILL(int) FILL(uint64_t) FILL(short) FILL(byte)
KERNEL fill_pair(void) { fill_double(); }

// All sizes to 5, and each other with some.
static int is_taken(int n, int m) { return n < 6 && m < 6 || (n * 5 + m * 3) % 17 == 0 || n == 33 && m % 7 == 0 || n == 40 && m == 40; }

#define OVER(T, call)                                                                                                             \
    LOOP(n, MOST) LOOP(m, MOST) if (is_taken(n, m)) {                                                                             \
        fill_##T();                                                                                                               \
        call;                                                                                                                     \
        all = hash(all, memory, sizeof memory);                                                                                                          \
    }
#define SHOW(what) printf("%s %016llx\n", what, (unsigned long long)all)
#define FIRST (void *)memory
#define SECOND (void *)(memory + BYTES)
#define THIRD (void *)(memory + 2 * BYTES)
#define RUN(name, T) { uint64_t all = 1; OVER(T, name(n, m, FIRST, SECOND, THIRD)) SHOW(#name); }
#define RUN_TWO(name, T) { uint64_t all = 1; OVER(T, name(n, m, FIRST, SECOND)) SHOW(#name); }
#define RUN_ONE(name, T) { uint64_t all = 1; OVER(T, name(n, m, FIRST)) SHOW(#name); }
#define RUN_SQUARE(name, T) { uint64_t all = 1; OVER(T, name(n, FIRST)) SHOW(#name); }
#define RUN_SQUARES(name, T) { uint64_t all = 1; OVER(T, name(n, FIRST, SECOND)) SHOW(#name); }
// The same array, and one a little further on.
#define RUN_OVERLAPPING(name, T)                                                                                                  \
    {                                                                                                                             \
        uint64_t all = 1;                                                                                                         \
        OVER(T, name(n, m, FIRST, FIRST, THIRD)) OVER(T, name(n, m, FIRST, (void *)(memory + 64), THIRD))                         \
        OVER(T, name(n, m, FIRST, SECOND, FIRST)) SHOW(#name " overlapping");                                                     \
    }

#define RUN_TRANSPOSES(name, T)                                                                                                   \
    RUN(name##_transposed, T) RUN(name##_transposed_by_columns, T) RUN(name##_transposed_flat, T)                                 \
    RUN(name##_transposed_padded, T) RUN_OVERLAPPING(name##_transposed_by_columns, T)                                             \
    RUN_OVERLAPPING(name##_transposed_flat, T)
#define RUN_MORE_TRANSPOSES(name, T)                                                                                              \
    RUN_TRANSPOSES(name, T) RUN(name##_added, T) RUN(name##_added_to_twice, T) RUN_OVERLAPPING(name##_added_to_twice, T)          \
    RUN(name##_both_ways, T) RUN_OVERLAPPING(name##_both_ways, T) RUN(name##_turned, T) RUN(name##_turned_back, T)                \
    RUN_SQUARE(name##_in_place, T) RUN_SQUARE(name##_mirrored, T) RUN_SQUARES(name##_made_symmetric, T)                           \
    RUN_SQUARES(name##_of_a_triangle, T) RUN_TWO(name##_planes, T) RUN_TWO(name##_interleaved, T)                                 \
    RUN(name##_rows_swapped, T) RUN(name##_and_sums, T)
#define RUN_NORMS(name, T)                                                                                                        \
    RUN(name##_layer, T) RUN(name##_layer_in_memory, T) RUN_ONE(name##_unit_rows, T) RUN(name##_root_each_time, T)                \
    RUN(name##_root_of_both, T) RUN(name##_correlation, T) RUN_TWO(name##_unit_columns, T) RUN(name##_transposed_unit_rows, T)    \
    RUN(name##_greatest, T) RUN_ONE(name##_by_the_first, T) RUN_ONE(name##_by_the_row_before, T) RUN(name##_distances, T)         \
    RUN(name##_groups, T)

__attribute__((optnone)) int main(void) {
    RUN_MORE_TRANSPOSES(doubles, double) RUN_MORE_TRANSPOSES(floats, float) RUN_MORE_TRANSPOSES(ints, unsigned)
    RUN_TRANSPOSES(longs, uint64_t) RUN_TRANSPOSES(shorts, short) RUN_TRANSPOSES(bytes, byte) RUN_TRANSPOSES(pairs, pair)
    RUN(widened, float) RUN(narrowed, double) RUN(bytes_to_floats, byte) RUN(to_bytes, int)
    RUN_NORMS(double, double) RUN_NORMS(float, float) RUN_NORMS(int, int)
    RUN(mixed_layer, float)
    return 0;
}
