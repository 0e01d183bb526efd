// Debug information of transformed programs is well formed, for all its readers.
// RUN: %loopwright-clang -w -O3 -g -mllvm -loopwright-policy=force -Rpass=loopwright -c %S/Inputs/program.c -o %t.o 2>&1 | %FileCheck %s
// RUN: llvm-dwarfdump --verify %t.o
// RUN: %loopwright-clang -w -O2 -g -gdwarf-4 -mllvm -loopwright-policy=random -mllvm -loopwright-seed=3 -c %S/Inputs/program.c -o %t.o
// RUN: llvm-dwarfdump --verify %t.o
// RUN: %loopwright-clang -w -O3 -gline-tables-only -mllvm -loopwright-policy=kernels -c %S/Inputs/program.c -o %t.o
// RUN: llvm-dwarfdump --verify %t.o

// The new loops have the lines of the old ones.
// RUN: %loopwright-clang -w -O3 -g -mllvm -loopwright-policy=force -S -emit-llvm %S/Inputs/program.c -o - | %opt -passes=verify -disable-output
// RUN: llvm-dwarfdump --debug-line %t.o | %FileCheck --check-prefix=LINES %s

// CHECK: program.c:[[#]]:{{.*}} [-Rpass=loopwright]
// LINES: program.c
