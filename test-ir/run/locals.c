// Arrays that are declared in loops, and matrices of few rows and columns whose loops LLVM unrolls: constant sizes and sizes up to those of the arrays, arrays that are apart and that may meet, filters with
// inverses in between, arrays with the same place on the stack one after the other. For all sizes, empty ones with them.
// RUN: %clang -O3 -march=native -w -I%S/Inputs %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -march=native -w -I%S/Inputs -mllvm -loopwright-policy=random -mllvm -loopwright-seed=8 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -I%S/Inputs -ffp-contract=off %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -I%S/Inputs -ffp-contract=off %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -I%S/Inputs -ffp-contract=off -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
#include "hash.h"
#include <stdio.h>

#define KERNEL __attribute__((noinline)) static
#define LOOP(i, n) for (int i = 0; i < n; i++)

enum { CELLS = 1 << 12 };
static double memory[CELLS];
static float narrow[CELLS];

// Products of constant sizes, in three forms: a sum in a register, a sum in memory, the second matrix transposed.
#define PRODUCTS(T, N, APART)                                                                                           \
    KERNEL void product_##T##N##APART(T (*APART a)[N], T (*APART b)[N], T (*APART c)[N]) {                              \
        LOOP(i, N) LOOP(j, N) {                                                                                         \
            T s = 0;                                                                                                    \
            LOOP(k, N) s += a[i][k] * b[k][j];                                                                          \
            c[i][j] = s;                                                                                                \
        }                                                                                                               \
    }                                                                                                                   \
    KERNEL void stored_##T##N##APART(T (*APART a)[N], T (*APART b)[N], T (*APART c)[N]) {                               \
        LOOP(i, N) LOOP(j, N) {                                                                                         \
            c[i][j] = 0;                                                                                                \
            LOOP(k, N) c[i][j] += a[i][k] * b[k][j];                                                                    \
        }                                                                                                               \
    }                                                                                                                   \
    KERNEL void transposed_##T##N##APART(T (*APART a)[N], T (*APART b)[N], T (*APART c)[N]) {                           \
        LOOP(i, N) LOOP(j, N) LOOP(k, N) c[i][j] += a[i][k] * b[j][k];                                                  \
    }                                                                                                                   \
    KERNEL void batch_##T##N##APART(int count, T (*APART a)[N][N], T (*APART b)[N][N], T (*APART c)[N][N]) {            \
        LOOP(e, count) {                                                                                                \
            T t[N][N];                                                                                                  \
            LOOP(i, N) LOOP(j, N) {                                                                                     \
                T s = 0;                                                                                                \
                LOOP(k, N) s += a[e][i][k] * b[e][k][j];                                                                \
                t[i][j] = s;                                                                                            \
            }                                                                                                           \
            LOOP(i, N) LOOP(j, N) {                                                                                     \
                c[e][i][j] = 1;                                                                                         \
                LOOP(k, N) c[e][i][j] += a[e][k][i] * t[k][j];                                                          \
            }                                                                                                           \
        }                                                                                                               \
    }
#define KINDS(T, N) PRODUCTS(T, N, ) PRODUCTS(T, N, restrict)
#define SIZES_OF_DOUBLES(F) F(double, 3) F(double, 5) F(double, 6) F(double, 8) F(double, 9)
#define SIZES_OF_FLOATS(F) F(float, 4) F(float, 7) F(float, 12)
SIZES_OF_DOUBLES(KINDS)
SIZES_OF_FLOATS(KINDS)

// Sizes up to that of the array; what is left of the last iteration goes on in a register.
KERNEL double up_to(int count, int n, double (*a)[9][9], double (*b)[9][9], double (*c)[9][9]) {
    double trace = 0;
    LOOP(e, count) {
        double t[9][9], row[9];
        LOOP(i, n) LOOP(j, n) {
            t[i][j] = 0;
            LOOP(k, n) t[i][j] += a[e][i][k] * b[e][k][j];
        }
        LOOP(j, n) {
            row[j] = 0;
            LOOP(i, n) row[j] += t[i][j];
        }
        LOOP(i, n) LOOP(j, n) {
            c[e][i][j] = row[i];
            LOOP(k, n) c[e][i][j] -= t[i][k] * t[j][k];
        }
        LOOP(i, n) trace += t[i][i];
    }
    return trace;
}

// Two arrays that may have one place on the stack, and loops behind that have another one.
KERNEL void one_after_the_other(int count, int n, double (*a)[12][12], double (*c)[12][12]) {
    LOOP(e, count) {
        {
            double s[12][12];
            LOOP(i, n) LOOP(j, n) s[i][j] = a[e][j][i] + i;
            LOOP(i, n) LOOP(j, n) LOOP(k, n) c[e][i][j] += s[i][k] * a[e][k][j];
        }
        {
            double t[12][12];
            LOOP(i, n) LOOP(j, n) t[i][j] = c[e][j][i] * 2 - j;
            LOOP(i, n) LOOP(j, n) LOOP(k, n) c[e][i][j] -= t[k][i] * a[e][k][j];
        }
    }
    LOOP(e, count) {
        double u[12];
        LOOP(j, n) u[j] = 0;
        LOOP(i, n) LOOP(j, n) u[j] += c[e][i][j];
        LOOP(i, n) LOOP(j, n) c[e][i][j] += u[i];
    }
}

// Only some iterations have a new array; others leave the loop's body early.
KERNEL void some(int count, int n, double (*a)[6][6], double (*c)[6][6]) {
    LOOP(e, count) {
        if (a[e][0][0] > 2) continue;
        double t[6][6];
        LOOP(i, n) LOOP(j, n) t[i][j] = a[e][i][j] * a[e][j][i];
        LOOP(i, n) LOOP(j, n) LOOP(k, n) c[e][i][j] += t[i][k] * a[e][k][j];
    }
}

// The first iteration fills it, the others go on with it: declared outside.
KERNEL void goes_on(int count, double (*a)[6][6], double (*c)[6][6]) {
    double t[6][6] = {0};
    LOOP(e, count) {
        LOOP(i, 6) LOOP(j, 6) LOOP(k, 6) t[i][j] += a[e][i][k] * a[e][k][j];
        LOOP(i, 6) LOOP(j, 6) c[e][i][j] = t[j][i];
    }
}

// Predict and update: two measurements, six states.
KERNEL void filter(int count, const double f[6][6], const double h[2][6], const double (*z)[2], double (*x)[6], double (*p)[6][6]) {
    LOOP(t, count) {
        double xp[6], fp[6][6], pp[6][6], ph[6][2], s[2][2], g[6][2], y[2];
        LOOP(i, 6) {
            xp[i] = 0;
            LOOP(j, 6) xp[i] += f[i][j] * x[t][j];
        }
        LOOP(i, 6) LOOP(j, 6) {
            fp[i][j] = 0;
            LOOP(k, 6) fp[i][j] += f[i][k] * p[t][k][j];
        }
        LOOP(i, 6) LOOP(j, 6) {
            pp[i][j] = i == j;
            LOOP(k, 6) pp[i][j] += fp[i][k] * f[j][k];
        }
        LOOP(i, 6) LOOP(j, 2) {
            ph[i][j] = 0;
            LOOP(k, 6) ph[i][j] += pp[i][k] * h[j][k];
        }
        LOOP(i, 2) {
            y[i] = z[t][i];
            LOOP(k, 6) y[i] -= h[i][k] * xp[k];
            LOOP(j, 2) {
                s[i][j] = 2 * (i == j);
                LOOP(k, 6) s[i][j] += h[i][k] * ph[k][j];
            }
        }
        double d = s[0][0] * s[1][1] - s[0][1] * s[1][0] + 100;
        LOOP(i, 6) {
            g[i][0] = (ph[i][0] * s[1][1] - ph[i][1] * s[1][0]) / d;
            g[i][1] = (ph[i][1] * s[0][0] - ph[i][0] * s[0][1]) / d;
            x[t][i] = xp[i] + g[i][0] * y[0] + g[i][1] * y[1];
        }
        LOOP(i, 6) LOOP(j, 6) p[t][i][j] = pp[i][j] - g[i][0] * ph[j][0] - g[i][1] * ph[j][1];
    }
}

static void fill(void) {
    LOOP(i, CELLS) memory[i] = (i * 7 % 31 - 15) / 8.0;
    LOOP(i, CELLS) narrow[i] = (i * 5 % 29 - 14) / 8.0f;
}

static void show(const char *name, int a, int b) {
    printf("%s %d %d %016llx %016llx\n", name, a, b, (unsigned long long)hash(0, memory, sizeof memory), (unsigned long long)hash(0, narrow, sizeof narrow));
    fill();
}

// Apart, and one over the other.
#define RUN(T, N, M)                                                                                                    \
    product_##T##N((void *)M, (void *)(M + 200), (void *)(M + 400)), show("product", N, 0);                             \
    product_##T##N((void *)M, (void *)(M + 2), (void *)(M + 1)), show("product", N, 1);                                 \
    product_##T##N##restrict((void *)M, (void *)(M + 200), (void *)(M + 400)), show("product", N, 2);                   \
    stored_##T##N((void *)M, (void *)(M + 200), (void *)(M + 400)), show("stored", N, 0);                               \
    stored_##T##N((void *)M, (void *)(M + 3), (void *)(M + 1)), show("stored", N, 1);                                   \
    stored_##T##N##restrict((void *)M, (void *)(M + 200), (void *)(M + 400)), show("stored", N, 2);                     \
    transposed_##T##N((void *)M, (void *)(M + 200), (void *)(M + 400)), show("transposed", N, 0);                       \
    transposed_##T##N((void *)(M + 1), (void *)(M + 3), (void *)M), show("transposed", N, 1);                           \
    transposed_##T##N##restrict((void *)M, (void *)(M + 200), (void *)(M + 400)), show("transposed", N, 2);             \
    LOOP(n, 4) batch_##T##N(n, (void *)M, (void *)(M + 900), (void *)(M + 1800)), show("batch", N, n);                  \
    batch_##T##N(3, (void *)M, (void *)(M + 9), (void *)(M + 5)), show("batch", N, 4);                                  \
    LOOP(n, 4) batch_##T##N##restrict(n, (void *)M, (void *)(M + 900), (void *)(M + 1800)), show("batch", N, n);
#define RUN_D(T, N) RUN(T, N, memory)
#define RUN_F(T, N) RUN(T, N, narrow)

int main(void) {
    fill();
    SIZES_OF_DOUBLES(RUN_D)
    SIZES_OF_FLOATS(RUN_F)
    LOOP(count, 4) LOOP(n, 10) {
        double trace = up_to(count, n, (void *)memory, (void *)(memory + 500), (void *)(memory + 1000));
        printf("%016llx ", (unsigned long long)hash(0, &trace, sizeof trace));
        show("up_to", count, n);
        trace = up_to(count, n, (void *)memory, (void *)(memory + 50), (void *)(memory + 7));
        printf("%016llx ", (unsigned long long)hash(0, &trace, sizeof trace));
        show("up_to", count, n);
    }
    LOOP(count, 4) LOOP(n, 13) one_after_the_other(count, n, (void *)memory, (void *)(memory + 600)), show("one", count, n);
    LOOP(count, 5) LOOP(n, 7) some(count, n, (void *)(memory + count), (void *)(memory + 600)), show("some", count, n);
    LOOP(count, 5) goes_on(count, (void *)memory, (void *)(memory + 600)), show("goes_on", count, 0);
    LOOP(count, 5) {
        filter(count, (void *)memory, (void *)(memory + 36), (void *)(memory + 100), (void *)(memory + 200), (void *)(memory + 400));
        show("filter", count, 0);
    }
}
