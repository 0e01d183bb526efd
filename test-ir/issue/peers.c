// Wrong code that other loop optimisers have made, by cause; README.md has the table of all of them and of the rules that keep them out.
// RUN: %execute %s
#include "kernel.h"

// The counter is cut to 16 bits and may never get to its end (Polly 190128): what `i < n` means is settled before the loops run, not assumed where they do.
KERNEL(cut_start_in_two_loops, "int n, int 1", int *x, int *out) {
    int count = 0;
    for (long i = (short)(k * 20000); i < n; i++)
        for (long j = 0; j < m; j++) {
            if (i >= 0) x[i] += (int)(i + j);
            count++;
            if (count > 300) return;
        }
    *out = count;
}

KERNEL(short_start_of_array, "int n", int *x) {
    unsigned short from = (unsigned short)(k * 21845);
    for (int j = 0; j < m; j++)
        for (unsigned i = from; i < (unsigned)n; i++) x[i] = x[i] * 3 + j;
}

// u64, u16, u8 and signed char in one nest, lengths from all of them, and a statement that hides the last (Polly 192616, 192618).
KERNEL(many_widths, "unsigned n*m, short n*m, char n*m, long n*m", unsigned *a, short *b, signed char *c, long *d) {
    unsigned char step = (unsigned char)(k | 1);
    for (unsigned char i = 0; i < (unsigned char)n; i++)
        for (unsigned short j = 0; j < (unsigned short)m; j += step) {
            b[i * m + j] = (short)(a[i * m + j] + (unsigned long)d[i * m + j]);
            c[i * m + j] = (signed char)(b[i * m + j] >> 3) < (signed char)j ? (signed char)i : (signed char)b[i * m + j];
            a[i * m + j] = (unsigned char)c[i * m + j] + (unsigned short)b[i * m + j] * 5u;
        }
    for (unsigned long j = 0; j < (unsigned long)m; j++)
        for (unsigned short i = 0; i < n; i++) d[i * m + j] = (long)(a[i * m + j] ^ (unsigned)c[i * m + j]) + d[i * m + j];
}

KERNEL(assumed, "unsigned n*m, char n*m", unsigned *a, signed char *c) {
    __builtin_assume(n * m < 1000000);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            __builtin_assume(i * m + j >= 0);
            unsigned char low = (unsigned char)(a[i * m + j] + (unsigned)c[i * m + j]);
            a[i * m + j] = low < 100 ? low * 7u : a[i * m + j] / (low | 1u);
            c[i * m + j] = (signed char)(low ^ (unsigned char)(i - j));
        }
}

// The address is loaded in the region, and the cell it was loaded from is written there (Polly 204279).
struct holder { double *data; };
KERNEL(address_rewritten, "double n*m, double n*m", double *a, double *b) {
    struct holder h = {a}, *volatile hidden = &h;
    struct holder *p = hidden;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            p->data[i * m + j] += 1.0;
            if (j == k) p->data = b;
        }
}

KERNEL(address_rewritten_behind, "double n*m, double n*m", double *a, double *b) {
    struct holder h = {a}, *volatile hidden = &h;
    struct holder *p = hidden;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) p->data[i * m + j] += 1.0;
    if (k > 2) p->data = b;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) p->data[i * m + j] -= 2.0;
}

// The only place that makes a value which is used later never runs (Polly 206551, 225105).
KERNEL(value_of_a_dead_place, "double n*m, double 2", double A[n][m], double *out) {
    double last = 7.0, other = 8.0;
    for (int i = 1; i < n; i++) {
        for (int j = 0; j < m; j++)
            for (int l = i; l < i; l++) last = A[i][j] + l;
        for (int j = 0; j < m; j++) {
            if (i < 1) other = A[0][j];
            A[i][j] = other + last;
        }
    }
    out[0] = last;
    out[1] = other;
}

// What a branch on data chooses is used behind it, in the loop and after it (Polly 185313, 179135).
KERNEL(chosen_by_data, "double n*m, double n", double A[n][m], double *x) {
    double kept = 0.0;
    for (int i = 0; i < n; i++) {
        double best = m > 0 ? A[i][0] : 0.0;
        for (int j = 0; j < m; j++) {
            double here = A[i][j];
            if (here > best) {
                if (here < kept) note(here);
                best = here;
            } else if (here < -best) {
                kept = here;
            }
        }
        x[i] = best + kept;
    }
    if (n > 0) x[0] = kept;
}

// `<=` of a direction vector is not `<` (LoopInterchange 123920).
KERNEL(less_or_equal, "int (3*n+1)*(2*n+2)*(2*n+2)", int *p) {
    if (n < 1) return;
    int (*a)[2 * n + 2][2 * n + 2] = (int (*)[2 * n + 2][2 * n + 2])p;
    for (int i = 0; i < n; i++)
        for (int j = 1; j < 2 * n; j++)
            for (int l = 1; l < 2 * n; l++) a[2 * i][l + 1][j - 1] -= a[i + n - 1][l][j];
}

// A loop around that does not turn up in the subscripts carries what the inner one only seems to carry (LoopInterchange 116144).
KERNEL(shifted_again_and_again, "int m+1", int *A) {
    for (int r = 0; r < n; r++)
        for (int i = 0; i < m; i++) A[i] = A[i + 1] + k;
}

// Two conditions end the inner loop (LoopInterchange 202220).
KERNEL(two_ends, "long 5*n*n+n", long *A) {
    for (int i = 1; i < n; i++)
        for (int j = 0; (j < i) & (j < k); j++) A[j * 5 + i] += A[j + i] + 1;
}

// One cell carries a value from the first loop to the second (LoopFuse 191238).
KERNEL(cell_then_copies, "int 1, int n", int *cell, int *out) {
    for (int i = 0; i < n; i++) *cell = i;
    for (int j = 0; j < n; j++) out[j] = *cell;
}

KERNEL(cell_of_local_array, "int n, int n*m", int *out, int A[n][m]) {
    int cell[2] = {k, -1};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) cell[0] = A[i][j];
    for (int i = 0; i < n; i++) out[i] = cell[0] + cell[1];
}

// Two elements at once, one column on (UnrollAndJam 84796).
KERNEL(pairs_up_a_row, "short (n+1)*(2*m+2)", short *p) {
    typedef short pair __attribute__((vector_size(4), aligned(2)));
    short (*A)[2 * m + 2] = (short (*)[2 * m + 2])p;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) *(pair *)&A[i + 1][2 * j] = *(pair *)&A[i][2 * j + 1];
}

// The step of the inner counter is an expression, the counter lives on (LoopFlatten 58441, 59339).
KERNEL(step_is_computed, "int 1, int n*m", int *c, int *A) {
    int end = 0;
    for (int l = 0; l < n; l++)
        for (end = 0; end < m; end = (k ^ 7) + end + 1) {
            if ((k ^ 7) < 0) return;
            A[l * m + end] += l - end;
        }
    *c = end;
}

KERNEL(flat_with_a_step_of_three, "short 3*n, short 3*n", short *x, short *y) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < 3; j++) x[j + 3 * i] = y[3 * i];
}

KERNEL(byte_products, "short 256", short *A) {
    if (n > 15) return;
    unsigned char N = (unsigned char)n;
    for (unsigned char i = 0; i < N; i++)
        for (unsigned char j = 0; j < N; j++) A[(unsigned char)(j + i * N)] += (short)(1 + i);
}

// "Could not tell" is not "independent" (MLIR 210585): the plane is a product of arguments.
KERNEL(unknown_plane, "int (k*m+1)*(n+1)*(n+2), int (n+1)*(n+1)", int *p, int *q) {
    if (n < 1) return;
    int (*A)[n + 1][n + 2] = (int (*)[n + 1][n + 2])p, (*B)[n + 1] = (int (*)[n + 1])q;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            A[k * m][i][j] = i * 10 + j;
            B[i][j] = A[k * m][i - 1][j + 1];
        }
}

// Up and to the right, by hand and in tiles (MLIR 196554, 198266, 196972).
KERNEL(up_and_right, "int (n+1)*(m+1)", int *p) {
    int (*A)[m + 1] = (int (*)[m + 1])p;
    for (int i = 1; i <= n; i++)
        for (int j = 0; j < m; j++) A[i][j] = A[i - 1][j + 1];
}

KERNEL(down_and_left, "int (n+1)*(m+1)", int *p) {
    int (*A)[m + 1] = (int (*)[m + 1])p;
    for (int i = 0; i < n; i++)
        for (int j = 1; j <= m; j++) A[i][j] = A[i + 1][j - 1];
}

// A call in the first loop writes what the second one reads (MLIR 211591).
static double *watched;
static int watched_length;
__attribute__((noinline)) static void opaque(void) {
    __asm__ volatile("" ::: "memory");
    if (watched_length > 1) watched[watched_length - 1] += 1.0;
}
KERNEL(call_in_the_producer, "double n, double n, double n", double *in, double *between, double *out) {
    watched = between;
    watched_length = n;
    for (int i = 0; i < n; i++) {
        between[i] = in[i] + in[i];
        opaque();
    }
    for (int j = 0; j < n; j++) out[j] = between[j] + between[j];
}

// The second loop writes what the first one reads in every step (MLIR 212032).
KERNEL(read_before_all_writes, "double n+2, double n, double n", double *a, double *c, double *scratch) {
    for (int p = 0; p < n; p++) scratch[p] = a[1] * c[p];
    for (int p = 0; p < n; p++) a[p] = scratch[p];
}

// A fill, a copy into the middle, an addition: three writers of the same cells (MLIR 218696, 152077).
KERNEL(padded, "double (n+2)*(m+2), double n*m", double *p, double *q) {
    double (*A)[m + 2] = (double (*)[m + 2])p, (*B)[m] = (double (*)[m])q;
    for (int i = 0; i < n + 2; i++)
        for (int j = 0; j < m + 2; j++) A[i][j] = 0.0;
    for (int i = 0; i < n; i++) memcpy(&A[i + 1][1], B[i], sizeof(double) * (size_t)m);
    for (int j = 0; j < m + 2; j++)
        for (int i = 0; i < n + 2; i++) A[i][j] += 1.0;
}

KERNEL(copied_between, "double n*m, double n*m, double n*m", double *a, double *b, double *c) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) a[i * m + j] = b[i * m + j] * 2.0;
    memmove(b, a, sizeof(double) * (size_t)(n * m));
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) c[i * m + j] = b[i * m + j] + a[i * m + j];
}

// A division whose divisor counts zeros, a shift that goes too far where it is not wanted (SCEVExpander 202028, 63763).
KERNEL(divided_by_zeros, "unsigned n*m, unsigned n", unsigned *A, unsigned *x) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            unsigned d = x[i] ? (unsigned)__builtin_ctz(x[i]) + 1 : 3;
            A[i * m + j] += (unsigned)(i + j) % d;
        }
}

KERNEL(shift_too_far, "int n*m", int *A) {
    int shift = k < 8 ? 0 : k < 40 ? 1 << ((k - 68) & 31) : 48 & 1 << (k & 31);
    for (int j = 0; j < m; j++)
        for (int i = 0; (signed char)(shift + i) < n; i++) {
            if (i == n) break;
            A[i * m + j] += shift;
        }
}

// Sums that are none (Polly 75297, 80721), with the cells in one array and in two.
KERNEL(sum_of_the_neighbour, "double n+m+k+2, double n", double *s, double *A) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) s[j] = s[j + 1] + A[i];
}

KERNEL(sum_into_a_moving_cell, "double n+m+k+2", double *A) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[n] += A[i + k];
}
