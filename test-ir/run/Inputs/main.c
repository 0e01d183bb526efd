// Runs every variant of every kernel linked into this program against its reference variant, over many sizes and
// many ways for the arrays to lie in memory, and compares all memory byte for byte.
//
//     slot:  | guard page | canary | array ... | canary | guard page |
//
// An array is placed flush against one of the guard pages in the disjoint layouts, so that a read outside it faults
// too; in the overlapping layouts all arrays of one type share a slot.
#define _GNU_SOURCE
#include "kernel.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_ARRAYS = 6, CANARY = 512, SLOT_BYTES = 1 << 20, PAGE = 4096, MAX_ELEMENTS = 40000, MAX_KERNELS = 4096 };

extern const struct kernel *const __start_kernels[], *const __stop_kernels[];

// ---- What the program is doing, for the signal handler.
static const struct kernel *current;
static int sizes[3];
static const char *layout_name = "";

static void place(char *text, size_t length) {
    snprintf(text, length, "%s [%s, %s] n=%d m=%d k=%d, %s", current->name, current->group, current->variant, sizes[0],
             sizes[1], sizes[2], layout_name);
}

// A variant that crashes or hangs has failed, and the others go on. A reference that crashes is a wrong test.
static sigjmp_buf after_crash;

static void on_signal(int number) {
    char text[512];
    if (current) {
        place(text, sizeof text);
        dprintf(STDOUT_FILENO, "FAIL %s: %s\n", text, number == SIGALRM ? "does not end" : strsignal(number));
        if (strcmp(current->variant, "reference") != 0) siglongjmp(after_crash, 1);
    }
    _exit(1);
}

// ---- note(): calls that a kernel makes are part of its result.
static uint64_t noted;
void note(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    noted = (noted ^ bits) * 0x100000001b3u + 1;
}

// ---- Numbers.
static uint64_t random_state;
static uint64_t random_bits(void) {
    random_state += 0x9e3779b97f4a7c15u;
    uint64_t x = random_state;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Either sign, never near zero, full mantissa: another order of operations shows in the last bits.
static double random_double(void) {
    uint64_t bits = random_bits();
    double x = 0.5 + (double)(bits >> 11) / 9007199254740992.0;
    return bits & 1 ? x : -x;
}

// ---- The arrays string.
enum type { DOUBLE, FLOAT, LONG, INT, UNSIGNED, SHORT, CHAR, TYPES };
static const char *const type_names[TYPES] = {"double", "float", "long", "int", "unsigned", "short", "char"};
static const size_t type_bytes[TYPES] = {8, 4, 8, 4, 4, 2, 1};

struct array {
    enum type type;
    long elements;
    int slot;
    long offset; // bytes from the start of the slot
};
struct shape {
    int arrays;
    struct array array[MAX_ARRAYS];
    int noalias, dominant, negative;
};

static _Noreturn void bad(const char *text) {
    printf("FAIL malformed arrays string of %s at '%s'\n", current->name, text);
    exit(2);
}

static const char *cursor;
static void skip_blanks(void) {
    while (*cursor == ' ') cursor++;
}
static long sum(void);
static long factor(void) {
    skip_blanks();
    char c = *cursor;
    long value = 0;
    if (c == '(') {
        cursor++;
        value = sum();
        skip_blanks();
        if (*cursor++ != ')') bad(cursor - 1);
    } else if (c == 'n' || c == 'm' || c == 'k') {
        cursor++;
        value = sizes[c == 'n' ? 0 : c == 'm' ? 1 : 2];
    } else if (c >= '0' && c <= '9') {
        value = strtol(cursor, (char **)&cursor, 10);
    } else {
        bad(cursor);
    }
    return value;
}
static long product(void) {
    long value = factor();
    for (skip_blanks(); *cursor == '*' || *cursor == '/'; skip_blanks()) {
        if (*cursor++ == '*') {
            value *= factor();
        } else {
            long by = factor();
            if (by == 0) bad(cursor);
            value /= by;
        }
    }
    return value;
}
static long sum(void) {
    long value = product();
    for (skip_blanks(); *cursor == '+' || *cursor == '-'; skip_blanks()) value += *cursor++ == '+' ? product() : -product();
    return value;
}

static int word(const char *text) {
    size_t length = strlen(text);
    if (strncmp(cursor, text, length) != 0 || (cursor[length] >= 'a' && cursor[length] <= 'z')) return 0;
    cursor += length;
    return 1;
}

static struct shape parse(const char *arrays) {
    struct shape shape = {0};
    cursor = arrays;
    for (;;) {
        skip_blanks();
        if (word("noalias")) shape.noalias = 1;
        else if (word("dominant")) shape.dominant = 1;
        else if (word("negative")) shape.negative = 1;
        else {
            int type = 0;
            while (type < TYPES && !word(type_names[type])) type++;
            if (type == TYPES || shape.arrays == MAX_ARRAYS) bad(cursor);
            long elements = sum();
            shape.array[shape.arrays++] = (struct array){.type = (enum type)type, .elements = elements < 0 ? 0 : elements};
        }
        skip_blanks();
        if (*cursor == 0) return shape;
        if (*cursor++ != ',') bad(cursor - 1);
    }
}

// ---- Where the arrays lie.
enum layout { END, START, SAME, NEXT, PREVIOUS, ROW, ADJACENT, FIRST_TWO, LAST_TWO, LAYOUTS };
static const char *const layout_names[LAYOUTS] = {
    "disjoint, before a guard page", "disjoint, after a guard page", "all arrays the same",  "each one element after the last",
    "each one element before the last", "each one row after the last", "adjacent",           "first two the same",
    "last two the same"};

static long bytes_of(const struct array *a) { return a->elements * (long)type_bytes[a->type]; }

// False when the layout is not defined for this kernel, or does not differ from another.
static int lay_out(struct shape *shape, enum layout layout) {
    int overlapping = layout != END && layout != START;
    if (overlapping && shape->arrays < 2) return 0;
    if (shape->noalias && overlapping && layout != ADJACENT) return 0;
    struct array *first = &shape->array[0];
    long step = (long)type_bytes[first->type];
    long offset = CANARY + (layout == PREVIOUS ? MAX_ARRAYS * step : 0);
    for (int i = 0; i < shape->arrays; i++) {
        struct array *a = &shape->array[i];
        a->slot = i;
        a->offset = layout == START ? 0 : SLOT_BYTES - bytes_of(a);
        if (!overlapping || a->type != first->type) continue;
        if (layout == FIRST_TWO && i > 1) continue;
        if (layout == LAST_TWO && i < shape->arrays - 2) continue;
        a->slot = layout == LAST_TWO ? shape->arrays - 2 : 0;
        a->offset = offset;
        if (layout == NEXT) offset += step;
        if (layout == PREVIOUS) offset -= step;
        if (layout == ROW) offset += step * (sizes[1] > 0 ? sizes[1] : 1);
        if (layout == ADJACENT) offset += bytes_of(a);
        if (offset + bytes_of(a) > SLOT_BYTES) return 0;
    }
    return layout != FIRST_TWO || shape->arrays > 2 ? 1 : 0;
}

static unsigned char *slot[MAX_ARRAYS], *initial[MAX_ARRAYS], *expected[MAX_ARRAYS];
static long low[MAX_ARRAYS], high[MAX_ARRAYS]; // the part of each slot in use, canaries included; empty when low >= high

static void fill_array(const struct array *a) {
    unsigned char *p = slot[a->slot] + a->offset;
    for (long i = 0; i < a->elements; i++) {
        switch (a->type) {
        case DOUBLE: ((double *)(void *)p)[i] = random_double(); break;
        case FLOAT: ((float *)(void *)p)[i] = (float)random_double(); break;
        case LONG: ((long *)(void *)p)[i] = (long)(random_bits() % 101) - 50; break;
        case INT: ((int *)(void *)p)[i] = (int)(random_bits() % 101) - 50; break;
        case UNSIGNED: ((unsigned *)(void *)p)[i] = (unsigned)(random_bits() % 1000); break;
        case SHORT: ((short *)(void *)p)[i] = (short)((int)(random_bits() % 101) - 50); break;
        case CHAR: p[i] = (unsigned char)(random_bits() % 101); break;
        default: break;
        }
    }
}

static void prepare(const struct shape *shape) {
    for (int s = 0; s < MAX_ARRAYS; s++) low[s] = SLOT_BYTES, high[s] = 0;
    for (int i = 0; i < shape->arrays; i++) {
        const struct array *a = &shape->array[i];
        long from = a->offset - CANARY, to = a->offset + bytes_of(a) + CANARY;
        if (from < 0) from = 0;
        if (to > SLOT_BYTES) to = SLOT_BYTES;
        if (from < low[a->slot]) low[a->slot] = from;
        if (to > high[a->slot]) high[a->slot] = to;
    }
    for (int s = 0; s < MAX_ARRAYS; s++)
        for (long b = low[s]; b < high[s]; b++) slot[s][b] = (unsigned char)(0xa5 ^ b);
    for (int i = 0; i < shape->arrays; i++) fill_array(&shape->array[i]);
    if (shape->dominant) {
        double *matrix = (double *)(void *)(slot[shape->array[0].slot] + shape->array[0].offset);
        for (int i = 0; i < sizes[0]; i++) matrix[(long)i * sizes[0] + i] = 2.0 * sizes[0] + 1.0;
    }
}

static void copy_slots(unsigned char *const *to, unsigned char *const *from) {
    for (int s = 0; s < MAX_ARRAYS; s++)
        if (low[s] < high[s]) memcpy(to[s] + low[s], from[s] + low[s], (size_t)(high[s] - low[s]));
}

// False when it crashed.
static int run(const struct kernel *kernel, const struct shape *shape) {
    void *pointer[MAX_ARRAYS] = {0};
    for (int i = 0; i < shape->arrays; i++) pointer[i] = slot[shape->array[i].slot] + shape->array[i].offset;
    current = kernel;
    noted = 0;
    if (sigsetjmp(after_crash, 1) != 0) return 0;
    alarm(120);
    kernel->run(sizes[0], sizes[1], sizes[2], pointer[0], pointer[1], pointer[2], pointer[3], pointer[4], pointer[5]);
    alarm(0);
    return 1;
}

// Both not-a-number: which one is not defined by the language.
static int both_nan(const struct shape *shape, int s, long byte) {
    for (int i = 0; i < shape->arrays; i++) {
        const struct array *a = &shape->array[i];
        if (a->slot != s || byte < a->offset || byte >= a->offset + bytes_of(a) || a->type > FLOAT) continue;
        long at = a->offset + (byte - a->offset) / (long)type_bytes[a->type] * (long)type_bytes[a->type];
        if (a->type == DOUBLE) {
            double x, y;
            memcpy(&x, slot[s] + at, sizeof x);
            memcpy(&y, expected[s] + at, sizeof y);
            return isnan(x) && isnan(y);
        }
        float x, y;
        memcpy(&x, slot[s] + at, sizeof x);
        memcpy(&y, expected[s] + at, sizeof y);
        return isnan(x) && isnan(y);
    }
    return 0;
}

static void describe(const struct shape *shape, int s, long byte) {
    for (int i = 0; i < shape->arrays; i++) {
        const struct array *a = &shape->array[i];
        if (a->slot != s || byte < a->offset || byte >= a->offset + bytes_of(a)) continue;
        long index = (byte - a->offset) / (long)type_bytes[a->type];
        printf("array %d, element %ld: ", i, index);
        const void *x = slot[s] + a->offset + index * (long)type_bytes[a->type];
        const void *y = expected[s] + a->offset + index * (long)type_bytes[a->type];
        if (a->type == DOUBLE) printf("%a instead of %a\n", *(const double *)x, *(const double *)y);
        else if (a->type == FLOAT) printf("%a instead of %a\n", (double)*(const float *)x, (double)*(const float *)y);
        else printf("differs\n");
        return;
    }
    printf("written outside the arrays\n");
}

static int same(const struct shape *shape, uint64_t expected_notes) {
    if (noted != expected_notes) {
        char text[512];
        place(text, sizeof text);
        printf("FAIL %s: other calls\n", text);
        return 0;
    }
    for (int s = 0; s < MAX_ARRAYS; s++) {
        if (low[s] >= high[s] || memcmp(slot[s] + low[s], expected[s] + low[s], (size_t)(high[s] - low[s])) == 0) continue;
        for (long b = low[s]; b < high[s]; b++) {
            if (slot[s][b] == expected[s][b] || both_nan(shape, s, b)) continue;
            char text[512];
            place(text, sizeof text);
            printf("FAIL %s: ", text);
            describe(shape, s, b);
            return 0;
        }
    }
    return 1;
}

// ---- Sizes.
static const int all_sizes[] = {0, 1, 2, 3, 7, 8, 9, 31, 33, 100};
static const int small_sizes[] = {0, 1, 2, 3, 7, 9};
static const int unequal[][3] = {
    {100, 33, 31}, {31, 100, 9},  {9, 8, 100},   {33, 7, 8},    {8, 33, 31},  {1, 100, 7},   {100, 1, 33}, {2, 31, 100},
    {33, 31, 1},   {100, 100, 3}, {3, 100, 100}, {31, 33, 33},  {7, 100, 2},  {100, 8, 100}, {33, 100, 0}, {100, 0, 9},
    {0, 100, 33},  {17, 16, 15},  {15, 17, 16},  {16, 15, 17},  {64, 65, 63}, {63, 64, 65},  {5, 40, 20},  {40, 20, 5},
    {4, 64, 12},   {12, 4, 64},   {64, 12, 4},   {20, 33, 20}};
static const int negative[][3] = {{-1, 3, 3}, {3, -1, 3}, {3, 3, -1}, {-5, -1, -3}, {-1, -1, -1}, {-100, 7, 9}, {9, 7, -100}};

static int failed_variants;
static long comparisons;
static char failed[MAX_KERNELS];

// All variants of the kernels of one name and one group.
static void check(const struct kernel *const *list, int count, int reference) {
    struct shape shape;
    current = list[reference];
    shape = parse(list[reference]->arrays);
    for (int i = 0; i < shape.arrays; i++)
        if (shape.array[i].elements > MAX_ELEMENTS) return;
    for (int layout = 0; layout < LAYOUTS; layout++) {
        layout_name = layout_names[layout];
        if (!lay_out(&shape, (enum layout)layout)) continue;
        prepare(&shape);
        copy_slots(initial, slot);
        run(list[reference], &shape);
        uint64_t expected_notes = noted;
        copy_slots(expected, slot);
        for (int v = 0; v < count; v++) {
            if (v == reference || failed[v]) continue;
            copy_slots(slot, initial);
            comparisons++;
            if (!run(list[v], &shape) || !same(&shape, expected_notes)) {
                failed[v] = 1;
                failed_variants++;
            }
        }
    }
}

static int largest = 100; // longer sides are cut to this

static int side(int size) { return size < largest ? size : largest; }

static void check_at(const struct kernel *const *list, int count, int reference, int n, int m, int k) {
    sizes[0] = side(n), sizes[1] = side(m), sizes[2] = side(k);
    check(list, count, reference);
}

static void check_all_sizes(const struct kernel *const *list, int count, int reference) {
    random_state = 0;
    for (const char *c = list[reference]->name; *c; c++) random_state = random_state * 31 + (unsigned char)*c;
    memset(failed, 0, sizeof failed);
    for (size_t i = 0; i < sizeof all_sizes / sizeof *all_sizes; i++)
        check_at(list, count, reference, all_sizes[i], all_sizes[i], all_sizes[i]);
    size_t small = sizeof small_sizes / sizeof *small_sizes;
    for (size_t i = 0; i < small * small * small; i++)
        check_at(list, count, reference, small_sizes[i / small / small], small_sizes[i / small % small], small_sizes[i % small]);
    for (size_t i = 0; i < sizeof unequal / sizeof *unequal; i++)
        check_at(list, count, reference, unequal[i][0], unequal[i][1], unequal[i][2]);
    current = list[reference];
    if (parse(current->arrays).negative)
        for (size_t i = 0; i < sizeof negative / sizeof *negative; i++)
            check_at(list, count, reference, negative[i][0], negative[i][1], negative[i][2]);
}

static unsigned char *map_slot(void) {
    unsigned char *p = mmap(NULL, SLOT_BYTES + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + PAGE, SLOT_BYTES, PROT_READ | PROT_WRITE) != 0) {
        perror("mmap");
        exit(2);
    }
    return p + PAGE;
}

// program [largest size]
int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 1) largest = atoi(argv[1]);
    for (int s = 0; s < MAX_ARRAYS; s++) slot[s] = map_slot(), initial[s] = map_slot(), expected[s] = map_slot();
    const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], on_signal);

    long total = __stop_kernels - __start_kernels;
    static const struct kernel *list[MAX_KERNELS];
    int kernels = 0, tested = 0;
    for (long r = 0; r < total; r++) {
        const struct kernel *reference = __start_kernels[r];
        if (strcmp(reference->variant, "reference") != 0) continue;
        int count = 0, at = 0;
        for (long v = 0; v < total && count < MAX_KERNELS; v++) {
            const struct kernel *other = __start_kernels[v];
            if (strcmp(other->name, reference->name) != 0 || strcmp(other->group, reference->group) != 0) continue;
            if (other == reference) at = count;
            list[count++] = other;
        }
        kernels++;
        tested += count - 1;
        check_all_sizes(list, count, at);
    }
    printf("%d references, %d variants, %ld comparisons, %d variants differ\n", kernels, tested, comparisons, failed_variants);
    return failed_variants != 0 || tested == 0;
}
