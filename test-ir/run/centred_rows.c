// Sums over rows in lanes, in front of what runs row by row, strip by strip: rows that are centred, scaled and added up, by one loop and by two, as many as there are lanes and a few more, and what the next row waits for.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=2 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -ffp-contract=off -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -ffp-contract=off -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
#include "windows.h"

#define FLATTENED(T) SIZES, T *out, T *in, T *f, T *more

#define ALL(T)                                                                                                                    \
    KERNEL centred_##T(FLATTENED(T)) {                                                                                            \
        LOOP(i, h) {                                                                                                              \
            T sum = 0, squares = 0;                                                                                               \
            LOOP(j, w) {                                                                                                          \
                sum += in[i * w + j];                                                                                             \
                squares += in[i * w + j] * in[i * w + j];                                                                         \
            }                                                                                                                     \
            T mean = sum / w, scale = squares / w - mean * mean + 1;                                                              \
            LOOP(j, w) {                                                                                                          \
                T z = (in[i * w + j] - mean) / scale;                                                                             \
                out[j] += f[i] * z;                                                                                               \
                more[j] += f[i] * z * z;                                                                                          \
            }                                                                                                                     \
        }                                                                                                                         \
    }                                                                                                                             \
    /* Three loops, the rows of which two make one. */                                                                            \
    KERNEL backwards_##T(FLATTENED(T)) {                                                                                          \
        LOOP(b, u) LOOP(i, h) {                                                                                                   \
            T *row = in + (b * h + i) * w, mean = 0, turned = 0;                                                                  \
            LOOP(j, w) {                                                                                                          \
                mean += row[j] * f[j];                                                                                            \
                turned += row[j] * (row[j] - more[j]);                                                                            \
            }                                                                                                                     \
            mean /= w, turned /= w;                                                                                               \
            LOOP(j, w) {                                                                                                          \
                out[j] += row[j];                                                                                                 \
                row[j] += (row[j] * f[j] - mean) * turned;                                                                        \
            }                                                                                                                     \
        }                                                                                                                         \
    }                                                                                                                             \
    /* Sums in front and behind; what stands between loops. */                                                                    \
    KERNEL between_##T(FLATTENED(T)) {                                                                                            \
        LOOP(i, h) {                                                                                                              \
            T sum = 1, after = 0;                                                                                                 \
            LOOP(j, w) sum += in[i * w + j];                                                                                      \
            f[i] = sum * more[0];                                                                                                 \
            LOOP(j, w) {                                                                                                          \
                in[i * w + j] -= sum * (T)0.125;                                                                                  \
                more[j] += in[i * w + j];                                                                                         \
            }                                                                                                                     \
            LOOP(j, w) after += in[i * w + j] * in[i * w + j];                                                                    \
            out[i] = after;                                                                                                       \
        }                                                                                                                         \
    }                                                                                                                             \
    /* Planes: a channel of every picture. */                                                                                     \
    KERNEL planes_##T(FLATTENED(T)) {                                                                                             \
        LOOP(c, h) {                                                                                                              \
            T sum = 0;                                                                                                            \
            LOOP(b, u) LOOP(j, w) sum += in[(b * h + c) * w + j];                                                                 \
            f[c] = sum;                                                                                                           \
            LOOP(b, u) LOOP(j, w) out[(b * h + c) * w + j] = in[(b * h + c) * w + j] - sum / (u * w);                             \
        }                                                                                                                         \
    }                                                                                                                             \
    /* Each row needs what the one before has left. */                                                                            \
    KERNEL learnt_##T(FLATTENED(T)) {                                                                                             \
        LOOP(i, h) {                                                                                                              \
            T sum = 0;                                                                                                            \
            LOOP(j, w) sum += in[i * w + j] * f[j];                                                                               \
            T miss = (out[i] - sum) / 16;                                                                                         \
            LOOP(j, w) f[j] += miss * in[i * w + j];                                                                              \
        }                                                                                                                         \
    }

ALL(float)
ALL(double)

#define CASES(name, T)                                                                                                            \
    { uint64_t all = 1; OVER(sizes, name##_##T, T, FIRST, SECOND, THIRD, FOURTH) SHOW(#name " " #T); }                            \
    { uint64_t all = 1; OVER(sizes, name##_##T, T, memory + 64, memory, THIRD, FOURTH) OVER(sizes, name##_##T, T, FIRST, SECOND, (void *)(memory + BYTES + sizeof(T)), THIRD) SHOW(#name " overlapping"); }

int main(void) {
    CASES(centred, float)
    CASES(centred, double)
    CASES(backwards, float)
    CASES(backwards, double)
    CASES(between, float)
    CASES(between, double)
    CASES(planes, float)
    CASES(planes, double)
    CASES(learnt, float)
    CASES(learnt, double)
    return 0;
}
