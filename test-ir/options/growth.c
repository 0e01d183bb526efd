// RUN: %loopwright-clang -O3 -march=x86-64-v3 -c %s -o /dev/null -Rpass=loopwright -Rpass-missed=loopwright 2>&1 | %FileCheck %s --check-prefix=ALL
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -c %s -o /dev/null -Rpass=loopwright -Rpass-missed=loopwright -mllvm -loopwright-growth=400 2>&1 | %FileCheck %s --check-prefix=SOME
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -c %s -o /dev/null -Rpass=loopwright -Rpass-missed=loopwright -mllvm -loopwright-growth=50 2>&1 | %FileCheck %s --check-prefix=NONE
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -c %s -o /dev/null -mllvm -loopwright-stats 2>&1 | %FileCheck %s --check-prefix=STATS

// A sequence that is too much together is cut, and as many of its nests as may are written.
void three(int n, double *restrict a, double *restrict b, double *restrict c, double *restrict d, double *restrict e) {
  for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) for (int j = 0; j < n; j++) c[i * (long)n + j] += a[i * (long)n + k] * b[k * (long)n + j];
  for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) for (int j = 0; j < n; j++) d[i * (long)n + j] += c[i * (long)n + k] * b[k * (long)n + j];
  for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) for (int j = 0; j < n; j++) e[i * (long)n + j] += d[i * (long)n + k] * c[k * (long)n + j];
}

// ALL-NOT: left the loops
// ALL: growth.c:8:{{.*}} register tile
// ALL-NOT: left the loops

// One fits in, and as it gains so much one more.
// SOME: left the loops as they are: the function has got as much code as it may (option growth)
// SOME-COUNT-2: growth.c:[[#]]:{{.*}} register tile
// SOME-NOT: register tile

// NONE-NOT: register tile
// NONE: left the loops as they are: the function has got as much code as it may (option growth)
// NONE-NOT: register tile

// STATS: loopwright: function three: [[#]] of 16000000 steps, [[#]] us
// STATS-NEXT: narrow
// STATS-NEXT: raise {{ *[0-9]+}} steps {{ *[0-9]+}} % {{ *[0-9]+}} us
// STATS-NEXT: dependences
// STATS-NEXT: schedule
// STATS-NEXT: fuse
// STATS-NEXT: choose
// STATS-NEXT: generate
// STATS-NEXT: lower
