// Numbers that wrap, are cut or extended: sizes at the ends of their types, unsigned loops, short start values.
// RUN: %clang -O3 -w -fwrapv -fwrapv-pointer %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -fwrapv -fwrapv-pointer %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -fwrapv -fwrapv-pointer -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -fwrapv -fwrapv-pointer -mllvm -loopwright-policy=force -mllvm -loopwright-tile=4 %s -o %t.tile && %t.tile > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -fwrapv -fwrapv-pointer -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define KERNEL __attribute__((noinline)) void

enum { POOL = 1 << 16, MIDDLE = POOL / 2 };
static int a[POOL], b[POOL];
#define A (a + MIDDLE)
#define B (b + MIDDLE)

static void show(const char *name, long x, long y) {
    uint64_t h = 1;
    for (int i = 0; i < POOL; i++) h = (h ^ (unsigned)a[i]) * 0x100000001b3u, h = (h ^ (unsigned)b[i]) * 0x100000001b3u;
    printf("%s %ld %ld: %016lx\n", name, x, y, h);
    for (int i = 0; i < POOL; i++) a[i] = i * 7 % 1001, b[i] = i * 31 % 2003;
}

// The start is a value cut to 16 bits.
KERNEL cut_start(long n, short *out) {
    for (long i = (short)n; i < 5; i++)
        for (long j = 0; j < 4; j++) A[i * 4 + j] += (int)i;
    *out = (short)n;
}

// 77 against 0 in another compiler: the counter is 16 bits wide and wraps.
KERNEL short_counter(unsigned n, unsigned m) {
    for (unsigned short i = (unsigned short)n; i < 10; i++)
        for (unsigned j = 0; j < m; j++) A[(short)(i - 5) * 8 + (int)j] = 77;
}

KERNEL byte_counter(unsigned char n, unsigned m) {
    for (unsigned char i = n; i != 3; i++)
        for (unsigned j = 0; j < m; j++) A[i * 8 + j] += i;
}

KERNEL signed_byte_index(int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) A[(signed char)i * 8 + j] += i - 2 * j;
}

KERNEL unsigned_byte_index(int n, int m) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[(unsigned char)(i + 250) * 8 + j] = A[(unsigned char)i * 8 + j] + i;
}

// 32-bit products and sums that wrap to small numbers.
KERNEL unsigned_wraps(unsigned n, unsigned m, unsigned stride) {
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < m; j++) A[i * stride + j] += (int)(i - j);
}

KERNEL unsigned_product_wraps(unsigned n, unsigned m, unsigned stride) {
    for (unsigned j = 0; j < m; j++)
        for (unsigned i = 0; i < n; i++) A[i * 4 * stride + j] = A[i * 4 * stride + j] * 3u + (unsigned)(i - j);
}

KERNEL unsigned_start_wraps(unsigned from, unsigned to, unsigned m) {
    for (unsigned i = from; i != to; i++)
        for (unsigned j = 0; j < m; j++) A[(int)i * 4 + (int)j] += (int)i;
}

KERNEL unsigned_difference(unsigned n, unsigned m) {
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n - m; j++) {
            if (j == 3) break;
            A[i * 4 + j] += 1;
        }
}

KERNEL unsigned_bound(unsigned n, unsigned m) {
    for (unsigned i = 0; i < n - m; i++)
        for (unsigned j = 0; j < m; j++) A[i * 4 + j] = B[i + j * 3] + 1;
}

KERNEL size_bound(size_t n, size_t m) {
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i + 1 < n; i++) A[i * 4 + j] = A[i * 4 + j + 4] + 1;
}

KERNEL size_descending(size_t n, size_t m) {
    for (size_t j = m; j-- > 0;)
        for (size_t i = n - 1; i < n; i--) A[i * 4 + j] = A[i * 4 + j + 4] + 1;
}

// Rows whose length times their number wraps: A[0][0] is A[1][0].
KERNEL rows_wrap(size_t n, size_t m, size_t row) {
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < n; i++) A[i * row + j] = A[i * row + j] * 3u + (unsigned)i - (unsigned)j;
}

KERNEL planes_wrap(size_t n, size_t m, size_t plane, size_t row) {
    for (size_t k = 0; k < 2; k++)
        for (size_t j = 0; j < m; j++)
            for (size_t i = 0; i < n; i++) A[i * plane * row + j * row + k] = A[i * plane * row + j * row + k] * 3u + (unsigned)(i - j + k);
}

KERNEL rows_wrap_with_vla(long n, long m, long row, int (*p)[row]) {
    for (long j = 0; j < m; j++)
        for (long i = 0; i < n; i++) p[i][j] = p[i][j] * 3u + (unsigned)i - (unsigned)j;
}

KERNEL negative_rows(int n, int m, int row) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) A[i * row + j] = A[i * row + j] * 3u + (unsigned)i - (unsigned)j;
}

KERNEL row_times_row(int n, int r, int s) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) A[i * r * s + j * s] = A[i * r * s + j * s] * 3u + (unsigned)i - (unsigned)j;
}

// Bounds at the end of the type; the loops end by other means or run a few times.
KERNEL up_to_int_max(int from, int m) {
    for (int i = from; i < INT_MAX; i++)
        for (int j = 0; j < m; j++) A[(i - from) * 4 + j] += i;
}

KERNEL down_to_int_min(int from, int m) {
    for (int i = from; i > INT_MIN; i--)
        for (int j = 0; j < m; j++) A[(from - i) * 4 + j] += i;
}

KERNEL up_to_long_max(long from, long m) {
    for (long i = from; i < LONG_MAX; i++)
        for (long j = 0; j < m; j++) A[(i - from) * 4 + j] += (int)i;
}

KERNEL huge_difference(long low, long high, long m) {
    for (long i = low; i < high; i++)
        for (long j = 0; j < m; j++) A[i * 4 + j] += 1;
}

KERNEL from_int_min(int low, int high, int m) {
    for (int i = low; i < high; i++)
        for (int j = 0; j < m; j++) A[(i & 7) * 4 + j] += 1;
}

KERNEL inclusive_size(unsigned char n, int m) {
    for (unsigned i = 0; i <= n; i++)
        for (int j = 0; j < m; j++) A[i * 4 + (unsigned)j] += 1;
}

KERNEL long_step(long n, long m, long step) {
    for (long i = 0; i < n; i += step)
        for (long j = 0; j < m; j++) A[i % 8 * 4 + j] += 1;
}

KERNEL big_step(int n, int m) {
    for (int i = 0; i < n; i += 1 << 29)
        for (int j = 0; j < m; j++) A[(i >> 29) * 4 + j] += 1;
}

// Offsets far outside 40 bits that meet again.
KERNEL far_offset(long n, long m, long far, int *p) {
    for (long j = 0; j < m; j++)
        for (long i = 0; i < n; i++) p[i * 4 + j + far] = p[i * 4 + j + 1 + far] + 1;
}

KERNEL sign_extended_argument(int n, long m, unsigned u) {
    for (long j = 0; j < m; j++)
        for (long i = 0; i < n; i++) A[i * 4 + j + (long)u] = A[(int)u + i] + 1;
}

KERNEL mixed_compare(int n, unsigned m) {
    for (int i = 0; i < (int)m; i++)
        for (int j = 0; (unsigned)j < (unsigned)n && j < 50; j++) A[i * 50 + j] += 1;
}

KERNEL halves(unsigned n, int m) {
    for (unsigned i = 0; i < n / 2; i++)
        for (int j = 0; j < m; j++) A[i * 4 + (unsigned)j] = A[(n - 1 - i) * 4 + (unsigned)j] + 1;
}

int main(void) {
    show("start", 0, 0);
    static const long starts[] = {0, 3, -3, 65536, 65535, 65534, 32768 + 65536, 131072 + 2, 5, 40000 - 65536 + 65530};
    for (int i = 0; i < 9; i++) {
        short s;
        if ((short)starts[i] < -1000) continue;
        cut_start(starts[i], &s);
        show("cut_start", starts[i], s);
    }
    static const unsigned shorts[] = {0, 3, 9, 10, 11, 65535, 65536, 65537, 65545, 70000, 0x80000000u, 0xffffffffu};
    for (int i = 0; i < 12; i++)
        for (unsigned m = 0; m < 9; m += 4) short_counter(shorts[i], m), show("short_counter", shorts[i], m);
    for (int i = 0; i < 256; i += 17)
        for (unsigned m = 0; m < 9; m += 4) byte_counter((unsigned char)i, m), show("byte_counter", i, m);
    for (int i = 0; i < 600; i += 53)
        for (int m = 0; m < 12; m += 4) {
            signed_byte_index(i, m), show("signed_byte_index", i, m);
            unsigned_byte_index(i, m), show("unsigned_byte_index", i, m);
        }
    static const unsigned strides[] = {0, 1, 4, 16, 0x10000, 0x10001, 0x40000000, 0x80000000u, 0x80000004u};
    for (int i = 0; i < 9; i++)
        for (unsigned n = 0; n < 10; n += 3)
            if (strides[i] < 1000 || n == 0) unsigned_wraps(n, 5, strides[i]), show("unsigned_wraps", n, strides[i]);
    for (int i = 0; i < 9; i++)
        if (strides[i] < 1000 || strides[i] == 0x40000000 || strides[i] >= 0x80000000u)
            unsigned_product_wraps(7, 5, strides[i]), show("unsigned_product_wraps", 7, strides[i]);
    for (unsigned f = 0xfffffff0u; f != 8; f += 4) unsigned_start_wraps(f, 8, 3), show("unsigned_start_wraps", f, 3);
    for (unsigned n = 0; n < 12; n += 3)
        for (unsigned m = 0; m < 12; m += 4) {
            unsigned_difference(n, m), show("unsigned_difference", n, m);
            if (n >= m) unsigned_bound(n, m), show("unsigned_bound", n, m);
            size_bound(n, m), show("size_bound", n, m);
            size_descending(n, m), show("size_descending", n, m);
        }
    static const size_t rows[] = {0, 4, 5, (size_t)1 << 62, (size_t)1 << 63, ((size_t)1 << 62) + 1, (size_t)0 - 4, ((size_t)3 << 62) - 5};
    for (int r = 0; r < 8; r++)
        for (size_t n = 0; n < 9; n += 4) {
            rows_wrap(n, 3, rows[r]), show("rows_wrap", (long)n, (long)rows[r]);
            rows_wrap(n, 300, rows[r]), show("rows_wrap", (long)n, (long)rows[r]);
            planes_wrap(n, 1, (size_t)1 << 31, (size_t)1 << 31), show("planes_wrap", (long)n, 0);
            planes_wrap(n, 30, rows[r], 4), show("planes_wrap", (long)n, (long)rows[r]);
            planes_wrap(n, 3, 4, rows[r]), show("planes_wrap", (long)n, (long)rows[r]);
        }
    for (long n = 0; n < 9; n += 4) rows_wrap_with_vla(n, 6, 3, (int(*)[3])A), show("rows_wrap_with_vla", n, 6);
    for (int row = -5; row < 6; row++) negative_rows(7, 9, row), show("negative_rows", 7, row);
    for (int r = -3; r < 4; r++)
        for (int s = -3; s < 4; s++) row_times_row(7, r, s), show("row_times_row", r, s);
    for (int k = 0; k < 10; k += 3) {
        up_to_int_max(INT_MAX - k, 3), show("up_to_int_max", k, 3);
        down_to_int_min(INT_MIN + k, 3), show("down_to_int_min", k, 3);
        up_to_long_max(LONG_MAX - k, 3), show("up_to_long_max", k, 3);
    }
    huge_difference(LONG_MIN, LONG_MIN, 4), show("huge_difference", 0, 0);
    huge_difference(LONG_MAX, LONG_MIN, 4), show("huge_difference", 1, 0);
    huge_difference(-3, 5, LONG_MIN), show("huge_difference", 2, 0);
    huge_difference(-3, 5, 4), show("huge_difference", 3, 0);
    huge_difference(5, -3, LONG_MAX), show("huge_difference", 4, 0);
    from_int_min(INT_MIN, INT_MIN + 20, 4), show("from_int_min", 0, 0);
    from_int_min(INT_MAX - 20, INT_MAX, 4), show("from_int_min", 1, 0);
    from_int_min(INT_MAX, INT_MIN, 4), show("from_int_min", 2, 0);
    for (int n = 0; n < 256; n += 51) inclusive_size((unsigned char)n, 3), show("inclusive_size", n, 3);
    static const long steps[] = {1, 2, 7, 1l << 40, LONG_MAX / 2, LONG_MAX - 100};
    for (int s = 0; s < 6; s++) long_step(100, 4, steps[s]), show("long_step", steps[s], 4);
    big_step(INT_MAX / 2, 4), show("big_step", 0, 4);
    big_step(1, 4), show("big_step", 1, 4);
    static const long fars[] = {0, 1l << 30, 1l << 41, 1l << 60};
    for (int f = 0; f < 4; f++) far_offset(5, 4, fars[f], (int *)((uintptr_t)A - 4 * (uintptr_t)fars[f])), show("far_offset", fars[f], 0);
    for (int n = 0; n < 9; n += 4) {
        sign_extended_argument(n, 4, 0), show("sign_extended_argument", n, 0);
        sign_extended_argument(n, 4, 9), show("sign_extended_argument", n, 9);
        mixed_compare(n, 5), show("mixed_compare", n, 5);
        mixed_compare(-1, (unsigned)n), show("mixed_compare", -1, n);
        mixed_compare(n, 0xfffffff0u), show("mixed_compare", n, -16);
        halves((unsigned)n, 3), show("halves", n, 3);
    }
}
