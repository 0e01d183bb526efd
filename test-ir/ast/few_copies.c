// Where operands stream from the second level they are copied only when they do not stay there (Zen 4: 1 MiB; 627 x 627 floats take one and a half of it), unless copies hold what is made of them.
// Fourteen rows are copied as squares of 16 lanes. On Haswell they do not stream.
// RUN: %clang -march=znver4 -DPRODUCT --target=x86_64-linux-gnu -O3 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=f 2> %t.PRODUCT.ll
// RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %t.PRODUCT.ll 2>&1 | %FileCheck --check-prefix=PRODUCT %s
// RUN: %clang -march=znver4 -DSIZES --target=x86_64-linux-gnu -O3 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=f 2> %t.SIZES.ll
// RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %t.SIZES.ll 2>&1 | %FileCheck --check-prefix=SIZES %s
// RUN: %clang -march=znver4 -DSCALED --target=x86_64-linux-gnu -O3 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=f 2> %t.SCALED.ll
// RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %t.SCALED.ll 2>&1 | %FileCheck --check-prefix=SCALED %s
// RUN: %clang -march=znver4 -DKNOWN --target=x86_64-linux-gnu -O3 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=f 2> %t.KNOWN.ll
// RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %t.KNOWN.ll 2>&1 | %FileCheck --check-prefix=KNOWN %s
// RUN: %clang -march=znver4 -DBAND --target=x86_64-linux-gnu -O3 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=f 2> %t.BAND.ll
// RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %t.BAND.ll 2>&1 | %FileCheck --check-prefix=BAND %s
// RUN: %clang -march=haswell -DPRODUCT --target=x86_64-linux-gnu -O3 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=f 2> %t.HASWELL.ll
// RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %t.HASWELL.ll 2>&1 | %FileCheck --check-prefix=HASWELL %s

// PRODUCT-LABEL: function f
// PRODUCT: scratch p0[131072], p1[1572864] if (627 <= n)
// PRODUCT: hold lanes 16, < 14: r0 = A[14*c3 + lane][16*c4]
// PRODUCT: lanes 16, < 14: p0[8192*c3 + 256*c4 + lane - 8192*c1 - 131072*c2] = r0
// HASWELL-LABEL: function f
// HASWELL: scratch p0[{{[0-9]+}}], p1[{{[0-9]+}}] if (128 <= n)
#ifdef PRODUCT
void f(long n, float *restrict C, const float *restrict A, const float *restrict B) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++) C[i * n + j] += A[i * n + k] * B[k * n + j];
}
#endif

// SIZES-LABEL: function f
// SIZES: scratch p0[{{[0-9]+}}], p1[{{[0-9]+}}] if (128 <= m && 128 <= n && 128 <= k && 1329 <= {{[mnk]}} + {{[mnk]}} + {{[mnk]}})
#ifdef SIZES
void f(long m, long n, long k, double *restrict C, const double *restrict A, const double *restrict B) {
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++)
            for (long l = 0; l < k; l++) C[i * n + j] += A[i * k + l] * B[l * n + j];
}
#endif

// SCALED-LABEL: function f
// SCALED: scratch p0[{{[0-9]+}}], p1[{{[0-9]+}}] if (128 <= n)
#ifdef SCALED
void f(long n, double a, double *restrict C, const double *restrict A, const double *restrict B) {
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            for (long k = 0; k < n; k++) C[i * n + j] += a * A[i * n + k] * B[k * n + j];
}
#endif

// KNOWN-LABEL: function f
// KNOWN-NOT: scratch
// KNOWN: hold lanes 8
#ifdef KNOWN
void f(double C[restrict 300][300], double A[300][300], double B[300][300]) {
    for (int i = 0; i < 300; i++)
        for (int j = 0; j < 300; j++)
            for (int k = 0; k < 300; k++) C[i][j] += A[i][k] * B[k][j];
}
#endif

// Of a narrow band more columns would run under masks, in place, too.
// BAND-LABEL: function f
// BAND: scratch
// BAND: } else {
// BAND-NOT: = x[6*
// BAND: = x[14*c{{[0-9]+}}][8*c{{[0-9]+}} + lane]
#ifdef BAND
void f(int m, int n, double x[restrict m][n], double u[restrict n][n]) {
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++)
            for (int j = k + 1; j < n && j < k + 17; j++) x[i][j] -= x[i][k] * u[k][j];
}
#endif
