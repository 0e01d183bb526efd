// A scalar that is updated under a condition on data lives in the cell that it ends in, which the program stores to whatever data say: so the old value may be stored where the condition does not hold. What is
// read under the condition stays under it, unless it is there anyway.
//
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=classes %s -o /dev/null 2> %t.classes.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.classes.ll 2>&1 | %FileCheck %s --check-prefix=CLASSES
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=both_there %s -o /dev/null 2> %t.both_there.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.both_there.ll 2>&1 | %FileCheck %s --check-prefix=BOTH_THERE
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=own_memory %s -o /dev/null 2> %t.own_memory.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.own_memory.ll 2>&1 | %FileCheck %s --check-prefix=OWN_MEMORY
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=skips %s -o /dev/null 2> %t.skips.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.skips.ll 2>&1 | %FileCheck %s --check-prefix=SKIPS
// RUN: %clang -O3 -ffp-contract=off -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=starts %s -o /dev/null 2> %t.starts.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.starts.ll 2>&1 | %FileCheck %s --check-prefix=STARTS

// CLASSES-LABEL: function classes
// CLASSES: S1 at [0, 1, 0]
// CLASSES: {{^}}  write s[i0]
// CLASSES-NEXT: {{^}}  read class[i1]
// CLASSES-NEXT: {{^}}  read s[i0]
// CLASSES-NEXT: {{^}}  may read v[i1]
// CLASSES-NEXT: if (icmp(class[i1], index)) s[i0] = (s[i0] + v[i1]){{$}}
void classes(long n, long m, const double *v, const long *class, double *restrict s) {
    for (long c = 0; c < m; c++) {
        double sum = 0;
        for (long i = 0; i < n; i++)
            if (class[i] == c) sum += v[i];
        s[c] = sum;
    }
}

// BOTH_THERE-LABEL: function both_there
// BOTH_THERE: S1 at
// BOTH_THERE-NOT: may
// BOTH_THERE: ? {{.*}} : C[i0][i1]){{$}}
void both_there(long n, const double A[n][n], double C[restrict n][n]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double sum = 0;
            for (long k = 0; k < n; k++) {
                double x = A[k][i], y = A[k][j];
                if (x > y) sum += x / y - x * y + x * x / (y + 1);
            }
            C[i][j] = sum;
        }
}

// Nothing of the program's is stored when the loop is over, but one of the two sums has a cell.
// OWN_MEMORY-LABEL: function own_memory
// OWN_MEMORY: array [[OWN:[a-z0-9_]+]][] of double
// OWN_MEMORY: {{^}}  write [[OWN]][i0]
// OWN_MEMORY: {{^}}  may read w[i1]
// OWN_MEMORY: if (fcmp(x[i1], t[i0])) [[OWN]][i0] = ([[OWN]][i0] + w[i1]){{$}}
void own_memory(long n, const double *x, const double *t, const double *w, double *restrict s) {
    for (long j = 0; j < n; j++) {
        double sum = 0, all = 1;
        for (long i = 0; i < n; i++)
            if (x[i] > t[j]) {
                sum += w[i];
                all *= w[i];
            }
        s[j] = all / sum;
    }
}

// A condition that keeps a whole loop from running stays one.
// SKIPS-LABEL: function skips
// SKIPS: {{^}}  may write C[i0][i1]
// SKIPS: if (fcmp(A[i0][i1], const)) C[i0][i1] = (C[i0][i1] + (A[i0][i1] * C[i0][i1])){{$}}
void skips(long n, const double A[n][n], double C[restrict n][n]) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double first = A[i][j];
            C[i][j] = first;
            if (first > 0)
                for (long k = 0; k < n; k++) C[i][j] += first * C[i][j];
        }
}

// Where the scalar has not started its cell may not be there: nothing is read or stored.
// STARTS-LABEL: function starts
// STARTS: {{^}}  may write s[i0]
// STARTS: {{^}}  may write s[i0]
// STARTS-NEXT: {{^}}  read g[i0]
// STARTS-NEXT: {{^}}  may read class[i1]
// STARTS-NEXT: {{^}}  may read s[i0]
// STARTS-NEXT: {{^}}  may read v[i1]
void starts(long n, long m, const double *v, const long *class, const double *g, double *restrict s) {
    for (long c = 0; c < m; c++) {
        if (g[c] < 1) continue;
        double sum = 0;
        for (long i = 0; i < n; i++)
            if (class[i] == c) sum += v[i];
        s[c] = sum;
    }
}
