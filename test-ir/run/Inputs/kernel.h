// How an executed test declares a kernel:
//
//     KERNEL(gemv, "double n, double n*m, double m", double y[n], double A[n][m], double x[m]) { ... }
//
// The string gives the element type and the exact number of elements of every array, so that the driver can put a
// guard page at either end. The sizes n, m and k are in scope, both there and in the body.
// Words without an extent are flags of the whole kernel:
//     noalias     the arrays never overlap (for restrict)
//     dominant    the first array is an n x n matrix with a heavy diagonal (for factorisations)
//     negative    sizes may be negative too; a negative extent is an empty array
#ifndef KERNEL_H
#define KERNEL_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct kernel {
    const char *name;
    const char *arrays;
    const char *group;   // variants of one group must agree bit for bit
    const char *variant; // "reference", or how the plugin was asked to transform it
    void (*run)(int n, int m, int k, void *, void *, void *, void *, void *, void *);
};

// Defined by the driver; the sequence of values is part of the result.
void note(double value);

// Set by the driver for all but the references.
#ifndef GROUP
#define GROUP "none"
#endif
#ifndef VARIANT
#define VARIANT "reference"
#endif

#define KERNEL(NAME, ARRAYS, ...)                                                                       \
    static void NAME(int n, int m, int k, __VA_ARGS__);                                                 \
    static const struct kernel NAME##_entry = {#NAME, ARRAYS, GROUP, VARIANT,                           \
                                               (void (*)(int, int, int, void *, void *, void *, void *, \
                                                         void *, void *))NAME};                         \
    __attribute__((section("kernels"), used)) static const struct kernel *const NAME##_link =           \
        &NAME##_entry;                                                                                  \
    static void NAME(int n, int m, int k, __VA_ARGS__)

#endif
