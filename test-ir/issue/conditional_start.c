// A scalar that starts under a condition on data: the cell in which it ends is stored to under that condition only, and may not be there otherwise. Where further conditions decide about its updates the old value may be
// stored where these do not hold, but not where it has not started.
// RUN: %loopwright-clang -O3 -march=native -mllvm -loopwright-policy=auto %s -o %t.auto && %t.auto
// RUN: %loopwright-clang -O3 -march=native -mllvm -loopwright-policy=force -mllvm -loopwright-lanes=4 %s -o %t.lanes && %t.lanes
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 %s -o %t.random && %t.random
#include <sys/mman.h>

#define KERNEL __attribute__((noinline)) void

KERNEL starts(int n, int m, const int *restrict g, const int *restrict c, const float *restrict v, float *restrict o) {
    for (int j = 0; j < m; j++) {
        if (g[j] <= 0) continue;
        float s = 0;
        for (int i = 0; i < n; i++)
            if (c[i] == j) s += v[i];
        o[j] = s;
    }
}

KERNEL starts_with_cell(int n, int m, const int *restrict g, const int *restrict c, const float *restrict v, float *restrict o) {
    for (int j = 0; j < m; j++) {
        if (g[j] <= 0) continue;
        float s = o[j];
        for (int i = 0; i < n; i++)
            if (c[i] == j) s += v[i];
        o[j] = s;
    }
}

// The compiler takes the condition out of the loops.
KERNEL taken_out(int n, int m, const int *restrict g, const int *restrict c, const float *restrict v, float *restrict o) {
    for (int j = 0; j < m; j++) {
        float s = 0;
        for (int i = 0; i < n; i++)
            if (c[i] == j) s += v[i];
        if (g[j] > 0) o[j] = s;
    }
}

static int g[512], c[512];
static float v[512];

int main(int argc, char **argv) {
    int n = 511 + argc;
    for (int protection = 0; protection < 2; protection++) {
        float *o = mmap(0, 8192, protection ? PROT_NONE : PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (int i = 0; i < 512; i++) c[i] = i % 5;
        starts(n, n, g, c, v, o);
        starts_with_cell(n, n, g, c, v, o);
        taken_out(n, n, g, c, v, o);
    }
    return 0;
}
