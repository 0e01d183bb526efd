// A wrong option is a clear error, whichever way it comes in.
// RUN: not %loopwright-clang -O3 -mllvm -loopwright-policy=fast -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=VALUE %s
// RUN: not env LOOPWRIGHT_OPTIONS=policy=fast %loopwright-clang -O3 -c %s -o %t.o 2>&1 | %FileCheck --check-prefixes=VALUE,FROM %s
// RUN: not env LOOPWRIGHT_OPTIONS=speed=11 %loopwright-clang -O3 -c %s -o %t.o 2>&1 | %FileCheck --check-prefixes=NAME,FROM %s
// RUN: not %loopwright-clang -O3 -mllvm -loopwright-speed=11 -c %s -o %t.o
// RUN: not %loopwright-clang -O3 -mllvm -loopwright-tile=0x4 -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=TILE %s
// RUN: %clang -O1 -S -emit-llvm %s -o %t.ll
// RUN: not %loopwright-opt -passes='loopwright<policy=fast>' -disable-output %t.ll 2>&1 | %FileCheck --check-prefix=VALUE %s
// RUN: not %loopwright-opt -passes='loopwright<speed=11>' -disable-output %t.ll 2>&1 | %FileCheck --check-prefix=NAME %s
// RUN: not %loopwright-opt -passes='print<loopwright-speed>' -disable-output %t.ll

// FROM: LOOPWRIGHT_OPTIONS
// VALUE: option 'policy': expected auto, force, kernels, random or off, got 'fast'
// NAME: unknown option 'speed' (known: policy,
// TILE: option 'tile': expected sizes like 32 or 64x256
void scale(int n, double x[n]) {
    for (int i = 0; i < n; i++) x[i] *= 2.0;
}
