// The matrices of a batch, in a loop that calls a function: where each begins is a product of three numbers that do not change, of which one row is a part.
//
// RUN: %clang -O3 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=batch %s -o /dev/null 2> %t.batch.ll
// RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.batch.ll 2>&1 | %FileCheck %s --check-prefix=BATCH
// RUN: %loopwright-clang -O3 -Rpass=loopwright -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=FAST

void note(long);

// BATCH-LABEL: function batch
// BATCH: refused: Effect
// BATCH: params [count, n, b{{[^,]*}}, [[Q:q[0-9]+]]]
// BATCH: array C[][stride 8*n] of double
// BATCH: write C[i0 + [[Q]]][i1]
// FAST: register tile
void batch(long count, long n, double *restrict C, double *restrict A, double *restrict B) {
    for (long b = 0; b < count; b++) {
        note(b);
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++)
                for (long k = 0; k < n; k++)
                    C[b * n * n + i * n + j] += A[b * n * n + i * n + k] * B[b * n * n + k * n + j];
    }
}
