// What the examples share: deterministic data, a timer, and a hash over every byte of the results.
//
//     KERNEL scale(int n, double x[n]) { ... }        the loops under test, on their own in a function
//
//     int main(int argc, char **argv) {
//         int n = size_argument(argc, argv, 1000);    argv[1], or the default
//         double *x = allocate(n * sizeof *x);
//         MEASURE(fill(x, n, 1), scale(n, x));        before each run, and the run that is timed
//         add_to_hash(x, n * sizeof *x);
//         report();                                   "seconds 0.012345 hash 0123456789abcdef"
//     }
//
// argv[2] is the number of timed runs; the median is printed.
#ifndef HARNESS_H
#define HARNESS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Never inlined, so that nothing about its arguments is known but what its signature says.
#define KERNEL __attribute__((noinline)) void

enum { MAX_RUNS = 99 };
static int runs = 3;
static double run_seconds[MAX_RUNS];
static uint64_t hash = 0xcbf29ce484222325u;

static int size_argument(int argc, char **argv, int default_size) {
    if (argc > 2) {
        runs = atoi(argv[2]);
        if (runs < 1 || runs > MAX_RUNS) {
            fprintf(stderr, "runs must be from 1 to %d\n", MAX_RUNS);
            exit(2);
        }
    }
    return argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : default_size;
}

static inline void *allocate(size_t bytes) {
    void *memory = NULL;
    if (posix_memalign(&memory, 4096, bytes ? bytes : 1) != 0) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    memset(memory, 0, bytes);
    return memory;
}

// A number from [0.5, 1.5) that depends on the index and the seed alone.
static inline double value_at(size_t index, unsigned seed) {
    uint64_t x = (index + 1) * 0x9e3779b97f4a7c15u + seed * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 29)) * 0x94d049bb133111ebu;
    return 0.5 + (double)(x >> 44) / (double)(1u << 20);
}

static inline void fill(double *x, size_t count, unsigned seed) {
    for (size_t i = 0; i < count; i++) x[i] = value_at(i, seed);
}

static inline void fill_floats(float *x, size_t count, unsigned seed) {
    for (size_t i = 0; i < count; i++) x[i] = (float)value_at(i, seed);
}

static inline void fill_ints(int *x, size_t count, unsigned seed) {
    for (size_t i = 0; i < count; i++) x[i] = (int)(value_at(i, seed) * 1000.0);
}

// An n x n matrix whose diagonal outweighs its rows: factorisations without pivots stay well-behaved.
static inline void fill_dominant(double *x, size_t n, unsigned seed) {
    fill(x, n * n, seed);
    for (size_t i = 0; i < n; i++) x[i * n + i] += 2.0 * (double)n;
}

static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define MEASURE(PREPARE, RUN)                         \
    for (int run = 0; run < runs; run++) {            \
        PREPARE;                                      \
        double start = now();                         \
        RUN;                                          \
        run_seconds[run] = now() - start;             \
    }

static void add_to_hash(const void *data, size_t bytes) {
    const unsigned char *p = data;
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ p[i]) * 0x100000001b3u;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int report(void) {
    qsort(run_seconds, (size_t)runs, sizeof run_seconds[0], compare_doubles);
    printf("seconds %.9f hash %016llx\n", run_seconds[runs / 2], (unsigned long long)hash);
    return 0;
}

#endif
