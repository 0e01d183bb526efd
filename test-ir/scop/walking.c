// Pointers and numbers that go on over the loops inside are subscripts of several dimensions, and of triangles that grow or shrink.
//
// RUN: %clang --target=x86_64-linux-gnu -O3 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=three_loops %s -o /dev/null 2> %t.three_loops.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.three_loops.ll 2>&1 | %FileCheck %s --check-prefix=THREE_LOOPS
// RUN: %clang --target=x86_64-linux-gnu -O3 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=number %s -o /dev/null 2> %t.number.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.number.ll 2>&1 | %FileCheck %s --check-prefix=NUMBER
// RUN: %clang --target=x86_64-linux-gnu -O3 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=upper %s -o /dev/null 2> %t.upper.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.upper.ll 2>&1 | %FileCheck %s --check-prefix=UPPER
// RUN: %clang --target=x86_64-linux-gnu -O3 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=lower %s -o /dev/null 2> %t.lower.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.lower.ll 2>&1 | %FileCheck %s --check-prefix=LOWER
// RUN: %clang --target=x86_64-linux-gnu -O3 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=columns %s -o /dev/null 2> %t.columns.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.columns.ll 2>&1 | %FileCheck %s --check-prefix=COLUMNS
// RUN: %clang --target=x86_64-linux-gnu -O3 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=last %s -o /dev/null 2> %t.last.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.last.ll 2>&1 | %FileCheck %s --check-prefix=LAST
// RUN: %clang --target=x86_64-linux-gnu -O3 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=thirds %s -o /dev/null 2> %t.thirds.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.thirds.ll 2>&1 | %FileCheck %s --check-prefix=THIRDS

// THREE_LOOPS-LABEL: function three_loops
// THREE_LOOPS: array b[][stride 8*m*l][stride 8*l] of double
// THREE_LOOPS: b[i0][i1][i2] = a[i2][i1][i0]
void three_loops(int n, int m, int l, const double *a, double *b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++) *b++ = a[(k * m + j) * n + i];
}

// An `int` that counts: it must not wrap around.
// NUMBER-LABEL: function number
// NUMBER: check m - n*m + 2147483647 >= 0
// NUMBER: array b[][stride 8*m] of double
// NUMBER: b[i0][i1] = a[i1][i0]
void number(int n, int m, const double *a, double *b) {
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) b[k++] = a[j * n + i];
}

// Where the loop inside would not run once it is gone round.
// UPPER-LABEL: function upper
// UPPER: array b[][packed] of double
// UPPER: domain [n] -> { [i0, i1] : i0 >= 0 and i1 >= 0 and i0 + i1 <= n - 2 }
// UPPER: b[i0][i0 + i1] = a[i0 + i1 + 1][i0]
void upper(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) *b++ = a[j * n + i];
}

// LOWER-LABEL: function lower
// LOWER: array b[][packed] of double
// LOWER: b[i0 - 1][i1] = a[i1][i0]
void lower(int n, const double *a, double *b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) *b++ = a[j * n + i];
}

// COLUMNS-LABEL: function columns
// COLUMNS: array a[][packed] of double
// COLUMNS: a[i0][i0 + i1] = (a[i0][i0 + i1] * const)
void columns(int n, double *a) {
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) a[i + j * (2 * n - j - 1) / 2] *= 2;
}

// It does not go on where the data say so: no sum of what the loops add.
// LAST-LABEL: function last
// LAST: refused
void last(int n, int m, const int *a, int *b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i * m + j]) *b++ = a[i * m + j];
}

// What it goes on by is a quotient of sizes: a parameter of its own.
// THIRDS-LABEL: function thirds
// THIRDS: params [n, m, q2]
// THIRDS: array b[][stride 8*q2 + 8] of double
// THIRDS: array a[][stride 24*n] of double
// THIRDS: b[i0][i1] = a[i1][i0]
void thirds(int n, int m, double *b, const double *a) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j += 3) *b++ = a[j * n + i];
}
