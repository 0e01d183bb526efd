// Branches that bring different values to one store: a part of the statement for each. What decides must not have changed when the second part asks.
//
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=by_counter %s -o /dev/null 2> %t.by_counter.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.by_counter.ll 2>&1 | %FileCheck %s --check-prefix=BY_COUNTER
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=by_data %s -o /dev/null 2> %t.by_data.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.by_data.ll 2>&1 | %FileCheck %s --check-prefix=BY_DATA
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=decided_by_itself %s -o /dev/null 2> %t.decided_by_itself.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.decided_by_itself.ll 2>&1 | %FileCheck %s --check-prefix=DECIDED_BY_ITSELF

// BY_COUNTER-LABEL: function by_counter
// BY_COUNTER: S0 at [0, 0, 0]
// BY_COUNTER: i1 >= i0
// BY_COUNTER: A[i0][i1] = ((A[i0][i1] / B[i0][i1]) * const)
// BY_COUNTER: S1 at [0, 0, 1]
// BY_COUNTER: i0 >= i1 + 1
// BY_COUNTER: A[i0][i1] = ((B[i1][i0] + const) * const)
void by_counter(long n, double A[restrict n][n], double B[restrict n][n]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double t;
            if (i > j)
                t = B[j][i] + 1.0;
            else
                t = A[i][j] / B[i][j];
            A[i][j] = t * 0.5;
        }
}

// The part that reads the cell comes first.
// BY_DATA-LABEL: function by_data
// BY_DATA: S0 at [0, 0, 0]
// BY_DATA: may write A[i0][i1]
// BY_DATA: if (!icmp(C[i0][i1], 0)) A[i0][i1] = (A[i0][i1] / const)
// BY_DATA: S1 at [0, 0, 1]
// BY_DATA: may write A[i0][i1]
// BY_DATA: if (icmp(C[i0][i1], 0)) A[i0][i1] = (B[i1][i0] + const)
void by_data(long n, double A[restrict n][n], double B[restrict n][n], int C[restrict n][n]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double t;
            if (C[i][j])
                t = A[i][j] / 3.0;
            else
                t = B[j][i] + 1.0;
            A[i][j] = t;
        }
}

// DECIDED_BY_ITSELF-LABEL: function decided_by_itself
// DECIDED_BY_ITSELF: refused: Carried
void decided_by_itself(long n, double A[restrict n][n], double B[restrict n][n]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double t;
            if (A[i][j] > 0.0)
                t = B[i][j] / 3.0;
            else
                t = B[j][i] + 1.0;
            A[i][j] = t * 0.5;
        }
}
