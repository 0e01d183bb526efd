// Profiles: counters count the same with the plugin, and a build that uses a profile does the same as one that does not.
// REQUIRES: compiler-rt
// RUN: %clang -w -O3 -fprofile-generate=%t.plain.dir %S/Inputs/program.c -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -w -O3 -mllvm -loopwright-policy=force -fprofile-generate=%t.plugin.dir %S/Inputs/program.c -o %t.plugin && %t.plugin > %t.out && diff %t.expected %t.out
// RUN: llvm-profdata merge %t.plain.dir -o %t.plain.profdata
// RUN: llvm-profdata merge %t.plugin.dir -o %t.plugin.profdata
// RUN: llvm-profdata show --all-functions --counts %t.plain.profdata > %t.plain.counts
// RUN: llvm-profdata show --all-functions --counts %t.plugin.profdata > %t.plugin.counts
// RUN: diff %t.plain.counts %t.plugin.counts
// RUN: %both --transforms=yes -O3 -fprofile-use=%t.plain.profdata %S/Inputs/program.c

// RUN: rm -f %t.*.profraw
// RUN: %clang -w -O3 -fprofile-instr-generate=%t.plain.profraw -fcoverage-mapping %S/Inputs/program.c -o %t.plain && %t.plain
// RUN: %loopwright-clang -w -O3 -mllvm -loopwright-policy=force -fprofile-instr-generate=%t.plugin.profraw -fcoverage-mapping %S/Inputs/program.c -o %t.plugin && %t.plugin
// RUN: llvm-profdata merge %t.plain.profraw -o %t.plain.profdata
// RUN: llvm-profdata merge %t.plugin.profraw -o %t.plugin.profdata
// RUN: llvm-profdata show --all-functions --counts %t.plain.profdata > %t.plain.counts
// RUN: llvm-profdata show --all-functions --counts %t.plugin.profdata > %t.plugin.counts
// RUN: diff %t.plain.counts %t.plugin.counts
// RUN: %both --transforms=yes -O3 -fprofile-instr-use=%t.plain.profdata %S/Inputs/program.c

// Counters by gcov's means, also with atomic updates, which nothing may move.
// RUN: %both -O3 --coverage %S/Inputs/program.c
// RUN: %both -O3 -fprofile-generate=%t.atomic.dir -fprofile-update=atomic %S/Inputs/program.c
