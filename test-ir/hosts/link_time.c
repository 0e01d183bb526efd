// Link-time optimisation does the same, one way or the other, also when the plugin is there both times; each nest is transformed once (see lto.c).
// REQUIRES: lld
// RUN: %clang -w -O3 %S/Inputs/program.c -lm -o %t.plain && %t.plain > %t.expected
// RUN: %loopwright-clang -w -O3 -flto=full -mllvm -loopwright-policy=force -c %S/Inputs/program.c -o %t.o
// RUN: env LOOPWRIGHT_OPTIONS=policy=force %clang -O3 --ld-path=%lld -flto=full -Wl,--load-pass-plugin=%plugin %t.o -lm -o %t.full && %t.full > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -w -O3 -flto=thin -mllvm -loopwright-policy=force -c %S/Inputs/program.c -o %t.o
// RUN: env LOOPWRIGHT_OPTIONS=policy=force %clang -O3 --ld-path=%lld -flto=thin -Wl,--load-pass-plugin=%plugin %t.o -lm -o %t.thin && %t.thin > %t.out && diff %t.expected %t.out
// RUN: %loopwright-clang -w -O3 -flto=thin -mllvm -loopwright-policy=force -funified-lto -ffat-lto-objects -c %S/Inputs/program.c -o %t.o
// RUN: %clang -O3 %t.o -lm -o %t.fat && %t.fat > %t.out && diff %t.expected %t.out

// What was transformed before the link is not transformed at the link: the loops carry the mark through bitcode.
// RUN: %loopwright-clang -w -O3 -flto=full -mllvm -loopwright-policy=force -c %S/Inputs/program.c -o %t.o
// RUN: env LOOPWRIGHT_OPTIONS=policy=force %clang -O3 --ld-path=%lld -flto=full -Wl,--load-pass-plugin=%plugin -Wl,-mllvm,-pass-remarks=loopwright %t.o -lm -o %t.full 2>&1 | %FileCheck --allow-empty --check-prefix=SILENT %s
// SILENT-NOT: predicted
