// What a vector library rounds in another way stays in the loops that LLVM makes vectors of, or does not. Who takes any result gets what there is.
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -fno-math-errno -fveclib=libmvec -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=LIBRARY
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -fno-math-errno -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=NONE
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -fno-math-errno -fveclib=libmvec -fapprox-func -Rpass=loopwright -Rpass-missed=loopwright -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=NONE
double exp(double);

// LIBRARY: cannot transform the loops: the loop contains a call that a vector library rounds in another way
// NONE: interchanged loops
void f(int n, double (*restrict a)[512], double (*restrict b)[512]) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) a[i][j] = exp(b[i][j]);
}
