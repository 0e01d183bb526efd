// Memory that is more than an array: bounds and pointers that the loop itself may change, volatile, atomic, unequal widths.
// RUN: %clang -O3 -w %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w %s -o %t.auto && %t.auto > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -mllvm -loopwright-policy=force -mllvm -loopwright-tile=4 %s -o %t.tile && %t.tile > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -O3 -w -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random && %t.random > %t.out && diff %t.expected %t.out
// RUN: %clang -O3 -w -fno-strict-aliasing %s -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -O3 -w -fno-strict-aliasing -mllvm -loopwright-policy=force %s -o %t.force && %t.force > %t.out && diff %t.expected %t.out
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL __attribute__((noinline)) void
enum { POOL = 4096 };
static union {
    int i[POOL];
    unsigned char c[4 * POOL];
    short s[2 * POOL];
    long l[POOL / 2];
} pool, other;

static void show(const char *name, long x) {
    uint64_t h = 1;
    for (int i = 0; i < POOL; i++) h = (h ^ (unsigned)pool.i[i]) * 0x100000001b3u, h = (h ^ (unsigned)other.i[i]) * 0x100000001b3u;
    printf("%s %ld: %016lx\n", name, x, h);
    for (int i = 0; i < POOL; i++) pool.i[i] = i * 7 % 10, other.i[i] = i * 31 % 20;
}

KERNEL bound_in_memory(int *n, int *a) {
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < *n; i++) a[i * 8 + j] = (a[i * 8 + j] + 3) % 16;
}

KERNEL bounds_in_struct(struct { int rows, columns, stride; } *s, int *a) {
    for (int j = 0; j < s->columns; j++)
        for (int i = 0; i < s->rows; i++) a[i * s->stride + j] = (a[i * s->stride + j] + 3) % 8;
}

KERNEL bound_in_array(int *bound, int n, int *a) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < bound[i]; j++) a[j] = (a[j] + i) % 16;
}

KERNEL row_pointers(int **rows, int n, int m) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) rows[i][j] += rows[0][j] + 1;
}

// The first store changes where the next one goes.
struct self {
    struct self *next;
    long data[15];
};
KERNEL base_overwritten(struct self *s, struct self *t, int n) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            s->next->data[i] += j;
            if (i == j) s->next = t;
        }
}

KERNEL base_overwritten_by_array(long **p, long n) {
    for (long j = 0; j < 3; j++)
        for (long i = 0; i < n; i++) (*p)[i] += i + j;
}

KERNEL volatile_array(volatile int *v, int *a, int n) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) a[i * 8 + j] += v[i];
}

KERNEL volatile_store(volatile int *v, int *a, int n) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            a[i * 8 + j] += 1;
            *v = a[i * 8 + j];
        }
}

KERNEL atomic_counter(_Atomic int *count, int *a, int n) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            atomic_fetch_add_explicit(count, a[i * 8 + j], memory_order_relaxed);
            a[i * 8 + j] += 1;
        }
}

KERNEL atomic_flag_read(_Atomic int *flag, int *a, int n) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) a[i * 8 + j] += atomic_load_explicit(flag, memory_order_relaxed);
}

// Unequal widths into the same bytes.
KERNEL bytes_under_ints(int *a, unsigned char *c, int n) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            a[i * 8 + j] += 0x01010101;
            c[i * 32 + j] ^= (unsigned char)(i + j);
        }
}

KERNEL bytes_then_ints(int *a, unsigned char *c, int n) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) c[i * n + j] = (unsigned char)(c[i * n + j] + i);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) a[i * n + j] ^= a[j * n + i] << 1;
}

KERNEL unaligned_words(unsigned char *c, int n) {
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < n; i++) {
            unsigned x;
            memcpy(&x, c + 3 * i + j, sizeof x);
            x += 0x01020304u;
            memcpy(c + 3 * i + j, &x, sizeof x);
        }
}

KERNEL words_of_bytes(unsigned char *c, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++) {
            unsigned x;
            memcpy(&x, c + 4 * i, sizeof x);
            c[4 * i + (3 - j)] = (unsigned char)(x >> 3);
        }
}

KERNEL halves_of_words(short *s, unsigned char *c, int n) {
    for (int j = 1; j < n; j++)
        for (int i = 0; i < n; i++) {
            int x;
            memcpy(&x, c + 4 * (i + n * j), 4);
            s[2 * (i + n * (j - 1)) + 1] = (short)(x + i);
        }
}

KERNEL overlapping_structs(unsigned char *c, int n) {
    struct pair { int a, b; };
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < n; i++) {
            struct pair x;
            memcpy(&x, c + 4 * i + j * 4, sizeof x);
            x.a += x.b;
            x.b -= j;
            memcpy(c + 4 * i + j * 4, &x, sizeof x);
        }
}

KERNEL vector_elements(int *a, int n) {
    typedef int four __attribute__((vector_size(16), aligned(4)));
    for (int j = 1; j < n; j++)
        for (int i = 0; i + 3 < n; i++) *(four *)(a + j * 32 + i) += *(four *)(a + (j - 1) * 32 + i + 1);
}

KERNEL vector_and_scalar(int *a, int n) {
    typedef int four __attribute__((vector_size(16), aligned(4)));
    for (int j = 0; j < n; j++)
        for (int i = 0; i + 4 < n; i++) {
            *(four *)(a + j * 32 + i) += 1;
            a[j * 32 + i + 3] *= 2;
        }
}

KERNEL overlapping_arguments(int *a, int *b, int n, int m) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) a[i * m + j] = b[i * m + j] + 1;
}

KERNEL three_arguments(int *a, int *b, int *c, int n) {
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++) a[i * n + j] = (int)((unsigned)a[i * n + j] + (unsigned)b[i * n + k] * (unsigned)c[k * n + j]);
}

KERNEL null_and_empty(int *a, int *b, int n, int m) {
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) a[i * m + j] = b[i * m + j] + 1;
}

static int table[8][8];
__attribute__((noinline)) int *choose(int k) { return k ? &table[0][0] : pool.i; }
KERNEL two_objects(int k, int n) {
    int *p = choose(k);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) p[i * 8 + j] += table[j][i];
}

static __thread int counter;
KERNEL thread_local_cell(int *a, int n) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            counter += a[i * 8 + j];
            a[i * 8 + j] = counter;
        }
}

KERNEL on_the_stack(int *a, int n) {
    int t[8][8];
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) t[j][i] = a[i * 8 + j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i * 8 + j] += t[i][j] + t[j][i];
}

KERNEL stack_in_the_loop(int *a, int n) {
    for (int j = 0; j < n; j++) {
        int t[n];
        for (int i = 0; i < n; i++) t[i] = a[i * 8 + j];
        for (int i = 0; i < n; i++) a[i * 8 + j] += t[n - 1 - i];
    }
}

int main(void) {
    show("start", 0);
    for (int at = 0; at < 40; at += 3) bound_in_memory(pool.i + at, pool.i), show("bound_in_memory", at);
    bound_in_memory(other.i + 5, pool.i), show("bound_in_memory", -1);
    for (int at = 0; at < 20; at += 3) bounds_in_struct((void *)(pool.i + at), pool.i), show("bounds_in_struct", at);
    for (int at = 0; at < 20; at += 3) bound_in_array(pool.i + at, 10, pool.i), show("bound_in_array", at);
    for (int apart = 0; apart < 9; apart++) {
        int *rows[8];
        for (int r = 0; r < 8; r++) rows[r] = pool.i + apart * r;
        row_pointers(rows, 8, 8), show("row_pointers", apart);
    }
    for (int n = 0; n < 12; n += 3) {
        static struct self s, t;
        s.next = &s;
        memset(s.data, 0, sizeof s.data), memset(t.data, 0, sizeof t.data);
        base_overwritten(&s, &t, n);
        for (int i = 0; i < 15; i++) printf("%ld %ld ", s.data[i], t.data[i]);
        puts("");
        static long x[16], y[16], *p;
        p = x;
        memset(x, 0, sizeof x);
        base_overwritten_by_array(&p, n);
        for (int i = 0; i < 16; i++) printf("%ld ", x[i]);
        puts("");
    }
    for (int n = 0; n < 9; n += 4) {
        volatile_array(other.i, pool.i, n), show("volatile_array", n);
        volatile_array(pool.i + 3, pool.i, n), show("volatile_array", n);
        volatile_store(other.i, pool.i, n), show("volatile_store", n);
        atomic_counter((_Atomic int *)other.i, pool.i, n), show("atomic_counter", n);
        atomic_counter((_Atomic int *)pool.i + 9, pool.i, n), show("atomic_counter", n);
        atomic_flag_read((_Atomic int *)pool.i + 9, pool.i, n), show("atomic_flag_read", n);
        for (int at = 0; at < 9; at++) bytes_under_ints(pool.i, pool.c + at, n), show("bytes_under_ints", at);
        for (int at = 0; at < 9; at++) bytes_then_ints(pool.i, pool.c + at, n), show("bytes_then_ints", at);
        unaligned_words(pool.c + 1, 5 * n), show("unaligned_words", n);
        words_of_bytes(pool.c, 5 * n), show("words_of_bytes", n);
        halves_of_words(pool.s, pool.c, n), show("halves_of_words", n);
        overlapping_structs(pool.c, 5 * n), show("overlapping_structs", n);
        vector_elements(pool.i, 4 * n), show("vector_elements", n);
        vector_and_scalar(pool.i, 4 * n), show("vector_and_scalar", n);
        for (int at = -9; at < 10; at++) {
            overlapping_arguments(pool.i + 100, pool.i + 100 + at, n, 2 * n), show("overlapping_arguments", at);
            three_arguments(pool.i + 100, pool.i + 100 + at, pool.i + 100 - at, n), show("three_arguments", at);
            three_arguments(pool.i + 100, pool.i + 100 + at * n, other.i, n), show("three_arguments", at);
        }
        null_and_empty(0, 0, n, 0), show("null_and_empty", n);
        null_and_empty(0, 0, 0, n), show("null_and_empty", n);
        null_and_empty((int *)8, pool.i, -1, n), show("null_and_empty", n);
        two_objects(0, n), show("two_objects", n);
        two_objects(1, n);
        for (int i = 0; i < 64; i++) printf("%d ", table[i / 8][i % 8]), table[i / 8][i % 8] = i;
        puts("");
        thread_local_cell(pool.i, n), show("thread_local_cell", n);
        on_the_stack(pool.i, n), show("on_the_stack", n);
        stack_in_the_loop(pool.i, n), show("stack_in_the_loop", n);
    }
}
