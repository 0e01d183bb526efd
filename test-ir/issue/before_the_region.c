// What is read before the region - addresses, sizes, indices - and changed by it; views and triangles that overlap themselves; numbers at the ends of their
// types. The rules: what is read early lies apart from everything that is written, or the original code runs; it is read only where the program will read it;
// each condition is computed so that it cannot wrap, whatever its arguments.
// RUN: %clang -O3 -w -fwrapv -fno-strict-aliasing %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -fwrapv -fno-strict-aliasing %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -fwrapv -fno-strict-aliasing -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -fwrapv -fno-strict-aliasing -mllvm -loopwright-policy=force -mllvm -loopwright-tile=4 %s -o %t.tile && %t.tile > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -fwrapv -fno-strict-aliasing -mllvm -loopwright-policy=kernels %s -o %t.kernels && %t.kernels > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -fwrapv -fno-strict-aliasing -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define KERNEL __attribute__((noinline)) void
enum { POOL = 4096 };
static int pool[POOL];

static void show(const char *name, long x) {
    uint64_t h = 1;
    for (int i = 0; i < POOL; i++) h = (h ^ (unsigned)pool[i]) * 0x100000001b3u;
    printf("%s %ld: %016lx\n", name, x, h);
    for (int i = 0; i < POOL; i++) pool[i] = i * 7 % 32;
}

// The indices are written: no operation on them may run early.
KERNEL indices_written(int n, int m, int *A, int *x, int *at) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i] = (A[i] + x[at[j]]) % 32;
}

// What they lead to is written.
KERNEL target_written(int n, int m, int *A, int *at) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i] = (A[i] + A[at[j]]) % 32;
}

// There are no indices where the loop inside does not run.
KERNEL indices_not_read(int n, int m, int *A, int *x, int *at) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[i] = (A[i] + x[at[j]]) % 32;
}

KERNEL indices_guarded(int n, int m, int k, int *A, int *x, int *at) {
    for (int i = 0; i < n; i++)
        if (i > k)
            for (int j = 0; j < m; j++) A[i] = (A[i] + x[at[j + i]]) % 32;
}

// The address of the array lies in the array.
struct view { int *data; long size; };
KERNEL address_in_array(struct view *v, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) v->data[i * n + j] += j;
}

KERNEL address_not_read(struct view *v, int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) v->data[i * m + j] += j;
}

KERNEL address_guarded(struct view *v, int n, int m, int k) {
    for (int i = 0; i < n; i++) {
        if (k > 3)
            for (int j = 0; j < m; j++) v->data[i * m + j] += j;
    }
}

// Views whose rows overlap: the order of all steps counts.
KERNEL view(long n, long m, long r, long c, int *A) {
    for (long j = 0; j < m; j++)
        for (long i = 0; i < n; i++) A[i * r + j * c] = A[i * r + j * c] * 3 % 101 + (int)i;
}

// A row of a triangle is longer than it may be.
KERNEL triangle(int n, int m, int *A) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i * (i + 1) / 2 + j] = A[i * (i + 1) / 2 + j] * 3 % 101 + i;
}

KERNEL triangle_wraps(unsigned n, unsigned from, unsigned m, unsigned char *A) {
    for (unsigned i = from; i < n; i++)
        for (unsigned j = 0; j < m; j++) A[i * (i + 1) / 2 + j] += (unsigned char)(i + j);
}

// 32 bits are not enough for what looks like a matrix.
KERNEL matrix_wraps(unsigned n, unsigned m, unsigned s, unsigned char *A) {
    for (unsigned j = 0; j < m; j++)
        for (unsigned i = 0; i < n; i++) A[i * s + j] = (unsigned char)(A[i * s + j] * 3 + i);
}

KERNEL steps(int n, int m, int step, int *A) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i += step) A[i + j] = A[i + j] * 3 % 101 + i;
}

KERNEL remainders(int from, int n, int m, int *A) {
    for (int t = from; t < n; t++)
        for (int j = 0; j < m; j++) A[(t % 2) * m + j + 64] = A[(t / 2 + 1) % 2 * m + j + 64] + t;
}

KERNEL masks(unsigned from, unsigned n, unsigned m, int *A) {
    for (unsigned t = from; t != n; t++)
        for (unsigned j = 0; j < m; j++) A[(t & 3) * m + j] = A[((t + 1) & 3) * m + j] * 3 % 101 + (int)(t & 7);
}

int main(void) {
    show("start", 0);
    int *p = pool + 1024;
    for (int n = 0; n < 20; n += 6)
        for (int m = 0; m < 20; m += 5) {
            for (int d = -24; d <= 40; d += 4) {
                indices_written(n, m, p, p + 64, p + d), show("indices_written", d);
                target_written(n, m, p, p + d + 100), show("target_written", d);
                target_written(n, m, p + d, p + 8), show("target_written", -d);
            }
            indices_not_read(n, m, p, p + 64, m ? p + 128 : 0), show("indices_not_read", m);
            indices_not_read(n, m, p, p + 64, n ? p + 128 : 0), show("indices_not_read", n);
            for (int k = -1; k < 20; k += 7) indices_guarded(n, m, k, p, p + 64, k < n - 1 && m ? p + 128 : 0), show("indices_guarded", k);
            struct view v = {p, 3};
            address_not_read(n && m ? &v : 0, n, m), show("address_not_read", n);
            for (int k = 3; k < 5; k++) address_guarded(n && m && k > 3 ? &v : 0, n, m, k), show("address_guarded", k);
            for (long r = -3; r < 20; r += 3)
                for (long c = -2; c < 20; c += 3) view(n, m, r, c, p), show("view", r * 100 + c);
            triangle(n, m, p), show("triangle", n);
            for (int step = 1; step < 9; step += 3) steps(n, m, step, p), show("steps", step);
            steps(n, m, INT_MAX, p), show("steps", 0);
            for (int from = -5; from < 4; from += 3) remainders(from, n, m % 10, p), show("remainders", from);
            masks(0u - 5, (unsigned)n, (unsigned)m, p), show("masks", n);
        }
    // Where the loops meet the address they add 2 to its low half and nothing to the high one, at -5 and -2; elsewhere they miss it.
    struct view *inside = (struct view *)(pool + 2048);
    for (int d = -40; d <= 8; d++) {
        if (d > -9 && d < 2 && d != -5 && d != -2) continue;
        inside->data = pool + 2048 + d;
        address_in_array(inside, 3);
        long moved = (char *)inside->data - (char *)pool;
        inside->data = 0;
        show("address_in_array", moved);
    }
    unsigned char *large = mmap(0, (1ul << 32) + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (large == MAP_FAILED) return 0;
    static const unsigned strides[] = {0, 1, 7, 0x7fffffff, 0x80000000u, 0x80000001u, 0xffffffffu, 0xfffffff9u, 0x55555556u};
    for (unsigned k = 0; k < sizeof strides / sizeof *strides; k++) {
        matrix_wraps(7, 9, strides[k], large);
        uint64_t h = 1;
        for (uint64_t i = 0; i < 7; i++)
            for (uint64_t j = 0; j < 40; j++) h = (h ^ large[(unsigned)(i * strides[k] + j)]) * 0x100000001b3u;
        printf("matrix_wraps %u: %016lx\n", strides[k], h);
    }
    for (unsigned n = 92680; n < 92686; n++) {
        triangle_wraps(n, n - 3, 11, large);
        uint64_t h = 1;
        for (unsigned i = n - 3; i < n; i++)
            for (unsigned j = 0; j < 20; j++) h = (h ^ large[(i * (i + 1) / 2 + j)]) * 0x100000001b3u;
        printf("triangle_wraps %u: %016lx\n", n, h);
    }
    return 0;
}
