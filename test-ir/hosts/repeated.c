// Two builds are the same, byte by byte, and ccache may keep them.
// REQUIRES: ccache
// RUN: %loopwright-clang -w -O3 -g -mllvm -loopwright-policy=force -c %S/Inputs/program.c -o %t.1.o
// RUN: %loopwright-clang -w -O3 -g -mllvm -loopwright-policy=force -c %S/Inputs/program.c -o %t.2.o
// RUN: cmp %t.1.o %t.2.o
// RUN: rm -rf %t.cache
// RUN: env CCACHE_DIR=%t.cache CCACHE_NOHASHDIR=1 ccache %loopwright-clang -w -O3 -mllvm -loopwright-policy=force -c %S/Inputs/program.c -o %t.3.o
// RUN: env CCACHE_DIR=%t.cache CCACHE_NOHASHDIR=1 ccache %loopwright-clang -w -O3 -mllvm -loopwright-policy=force -c %S/Inputs/program.c -o %t.4.o
// RUN: cmp %t.3.o %t.4.o
// RUN: env CCACHE_DIR=%t.cache ccache --print-stats | %FileCheck %s
// Other options of the plugin are another compilation.
// RUN: env CCACHE_DIR=%t.cache ccache %loopwright-clang -w -O3 -mllvm -loopwright-policy=off -c %S/Inputs/program.c -o %t.5.o
// RUN: not cmp %t.3.o %t.5.o

// CHECK-DAG: direct_cache_hit{{[[:space:]]+}}1
// CHECK-DAG: cache_miss{{[[:space:]]+}}1
