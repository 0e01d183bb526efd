// Stores under a condition on data to cells whose value LLVM has in registers, too: they read the cell. Where it has been stored to before, in the same iteration of the loops around, the old value is
// stored where the condition does not hold; elsewhere the program has no store then, and neither have we.
//
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=stored_before %s -o /dev/null 2> %t.stored_before.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.stored_before.ll 2>&1 | %FileCheck %s --check-prefix=STORED_BEFORE
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=not_stored %s -o /dev/null 2> %t.not_stored.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.not_stored.ll 2>&1 | %FileCheck %s --check-prefix=NOT_STORED
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=stored_for_some %s -o /dev/null 2> %t.stored_for_some.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.stored_for_some.ll 2>&1 | %FileCheck %s --check-prefix=STORED_FOR_SOME
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=read_behind %s -o /dev/null 2> %t.read_behind.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.read_behind.ll 2>&1 | %FileCheck %s --check-prefix=READ_BEHIND
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=divides %s -o /dev/null 2> %t.divides.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.divides.ll 2>&1 | %FileCheck %s --check-prefix=DIVIDES

// STORED_BEFORE-LABEL: function stored_before
// STORED_BEFORE: S2 at
// STORED_BEFORE: {{^}}  write B[i0][i1]
// STORED_BEFORE: B[i0][i1] = (fcmp((A[i0][i2] + B[i2][i1]), B[i0][i1]) ? (A[i0][i2] + B[i2][i1]) : B[i0][i1])
void stored_before(long n, double A[restrict n][n], double B[n][n]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            B[i][j] = 1e9;
            for (long k = 0; k < i; k++)
                if (A[i][k] + B[k][j] < B[i][j]) B[i][j] = A[i][k] + B[k][j];
        }
}

// NOT_STORED-LABEL: function not_stored
// NOT_STORED: may write B[i0][i1]
// NOT_STORED: read B[i0][i1]
// NOT_STORED: if (fcmp((A[i0][i2] + B[i2][i1]), B[i0][i1])) B[i0][i1] = (A[i0][i2] + B[i2][i1]){{$}}
void not_stored(long n, double A[restrict n][n], double B[n][n]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < i; k++)
                if (A[i][k] + B[k][j] < B[i][j]) B[i][j] = A[i][k] + B[k][j];
}

// Not all instances have a store before.
// STORED_FOR_SOME-LABEL: function stored_for_some
// STORED_FOR_SOME-NOT: else
void stored_for_some(long n, double A[restrict n][n], double B[n][n]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            if (A[i][j] > 3) B[i][j] = A[i][i];
            for (long k = 0; k < i; k++)
                if (A[i][k] + B[k][j] < B[i][j]) B[i][j] = A[i][k] + B[k][j];
        }
}

// What is read only under the condition might not be there: the condition stays, though the old value may be stored where it does not hold.
// READ_BEHIND-LABEL: function read_behind
// READ_BEHIND: S2 at
// READ_BEHIND: {{^}}  write B[i0][i1]
// READ_BEHIND: may read B[i2][i1]
// READ_BEHIND: if (fcmp(C[i2][i1], const)) if (fcmp(A[i0][i2], B[i0][i1])) B[i0][i1] = B[i2][i1]{{$}}
void read_behind(long n, double A[restrict n][n], double B[n][n], double C[restrict n][n]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            B[i][j] = 1e9;
            for (long k = 0; k < i; k++)
                if (C[k][j] > 0 && A[i][k] < B[i][j]) B[i][j] = B[k][j];
        }
}

// The division might be by zero.
// DIVIDES-LABEL: function divides
// DIVIDES: S2 at
// DIVIDES: may write B[i0][i1]
// DIVIDES: if (icmp(A[i0][i2], B[i0][i1])) B[i0][i1] = (B[i2][i1] / A[i0][i2]){{$}}
void divides(long n, long A[restrict n][n], long B[n][n]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            B[i][j] = n;
            for (long k = 0; k < i; k++)
                if (A[i][k] > B[i][j]) B[i][j] = B[k][j] / A[i][k];
        }
}
