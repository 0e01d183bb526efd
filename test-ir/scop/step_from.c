// A loop with a step that begins somewhere: what is left to walk decides how often it runs, though scalar evolution says that at least one step is left. A checkerboard: the inner loop is counted so that the
// remainder of i + j is an iterator. A bit of one width, and what is chosen by it.
// RUN: %clang --target=x86_64-linux-gnu -O3 -DTRIANGLE -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=triangle -mllvm -print-module-scope 2> %t.triangle.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.triangle.ll 2>&1 | %FileCheck %s --check-prefix=TRIANGLE
// RUN: %clang --target=x86_64-linux-gnu -O3 -DCOLOURS -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=colours -mllvm -print-module-scope 2> %t.colours.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.colours.ll 2>&1 | %FileCheck %s --check-prefix=COLOURS
// RUN: %clang --target=x86_64-linux-gnu -O3 -DCHECKERBOARD -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=checkerboard -mllvm -print-module-scope 2> %t.checkerboard.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.checkerboard.ll 2>&1 | %FileCheck %s --check-prefix=CHECKERBOARD

// TRIANGLE: function triangle
// TRIANGLE: domain [n] -> { [i0, i1] : i0 >= 0 and i1 >= 0 and i0 + 2i1 <= n - 1 }
// TRIANGLE: write A[i0][i0 + 2i1]
#ifdef TRIANGLE
void triangle(int n, double A[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j += 2) A[i][j] = A[i][j] * 0.5 + 1;
}
#endif

// COLOURS: function colours
// COLOURS: domain [n] -> { [i0, i1, i2] : i0 >= 0 and i1 >= 0 and i1 <= 1 and 2i0 + i1 <= n - 3 and i2 >= 0 and i1 + n >= 2i2 + 4 }
// COLOURS: write A[2i0 + i1 + 1][-i1 + 2i2 + 2]
#ifdef COLOURS
void colours(int n, double A[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1 + i % 2; j < n - 1; j += 2) A[i][j] = 0.5 * (A[i][j - 1] + A[i][j + 1]);
}
#endif

// Two numbers of a counter and no more fit a bit: nothing is assumed of sizes for that.
// CHECKERBOARD: function checkerboard
// CHECKERBOARD: context [n] -> { [] }
// CHECKERBOARD: if (icmp
#ifdef CHECKERBOARD
void checkerboard(int n, double A[n][n]) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            if ((i + j) % 2 == 0) A[i][j] = 0.5 * (A[i][j - 1] + A[i][j + 1]);
}
#endif
