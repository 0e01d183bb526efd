// Subscripts that are affine piece by piece: a statement for each piece, in the order in which the iterations come to them. Sizes so small that pieces meet (`n = 1`) are ruled out.
// DEFINE: %{print} = %clang --target=x86_64-linux-gnu -O3 -march=znver4 -S -emit-llvm -fno-discard-value-names %s -o /dev/null -mllvm -print-before=loop-distribute -mllvm -filter-print-funcs=f -mllvm -print-module-scope
// DEFINE: %{scop} = %loopwright-opt -passes='print<loopwright-scop>' -disable-output %t.ll
// RUN: %{print} -DCLAMPED 2> %t.ll && %{scop} 2>&1 | %FileCheck %s --check-prefix=CLAMPED
// RUN: %{print} -DRING 2> %t.ll && %{scop} 2>&1 | %FileCheck %s --check-prefix=RING
// RUN: %{print} -DSCATTERED 2> %t.ll && %{scop} 2>&1 | %FileCheck %s --check-prefix=SCATTERED
// RUN: %{print} -DMASKED 2> %t.ll && %{scop} 2>&1 | %FileCheck %s --check-prefix=MASKED
// RUN: %{print} -DPOINTERS 2> %t.ll && %{scop} 2>&1 | %FileCheck %s --check-prefix=POINTERS
// RUN: %{print} -DWRAPPED 2> %t.ll && %{scop} 2>&1 | %FileCheck %s --check-prefix=WRAPPED
// RUN: %{print} -DCHOSEN 2> %t.ll && %{scop} 2>&1 | %FileCheck %s --check-prefix=CHOSEN
// RUN: %{print} -DROWS 2> %t.ll && %{scop} 2>&1 | %FileCheck %s --check-prefix=ROWS

#ifdef CLAMPED
// CLAMPED-NOT: refused
// CLAMPED-NOT: check -r >= 0
// CLAMPED: i0 + i1 <= r - 1
// CLAMPED: read x[0]
// CLAMPED: i0 + i1 >= r {{.*}}i0 + i1 <= n + r - 1
// CLAMPED: read x[i0 + i1 - r]
// CLAMPED: i0 + i1 >= n + r
// CLAMPED: read x[n - 1]
static int clamped(int p, int n) { return p < 0 ? 0 : p > n - 1 ? n - 1 : p; }
void f(int n, int r, const float *restrict x, const float *restrict w, float *restrict y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int u = -r; u <= r; u++) s += w[u + r] * x[clamped(i + u, n)];
        y[i] = s;
    }
}
#endif

#ifdef RING
// RING-NOT: refused
// RING: check n - 2 >= 0
// RING: S0
// RING: i0 = 0
// RING: read x[i0 + n - 1]
// RING: S1
// RING: i0 >= 1 and i0 <= n - 2
// RING: S2
// RING: n = i0 + 1
// RING: read x[0]
// RING-NOT: S3
void f(int n, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++) y[i] = x[(i - 1 + n) % n] - x[(i + 1) % n];
}
#endif

#ifdef SCATTERED
// SCATTERED-NOT: refused
// SCATTERED: write y[i0 + i1]
// SCATTERED: write y[i0 + i1 - n]
void f(int n, const double *restrict x, const double *restrict h, double *restrict y) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) y[(i + k) % n] += x[i] * h[k];
}
#endif

#ifdef MASKED
// MASKED-NOT: refused
// MASKED: domain { [i0] : i0 = 0 }
// MASKED: read x[i0 + 127]
// MASKED: domain { [i0] : i0 >= 1 and i0 <= 127 }
// MASKED: read x[i0 - 1]
void f(const double *restrict x, double *restrict y) {
    for (int i = 0; i < 128; i++) y[i] = x[(i - 1) & 127];
}
#endif

#ifdef POINTERS
// The compiler chooses between addresses.
// POINTERS-NOT: refused
// POINTERS: i1 <= n - 3
// POINTERS: read x[i0][i1 + 2]
// POINTERS: n = i1 + 2
// POINTERS: read x[i0][0]
void f(int n, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double l, r;
            if (j == 0) l = x[i * n + n - 1];
            else l = x[i * n + j - 1];
            if (j == n - 1) r = x[i * n];
            else r = x[i * n + j + 1];
            y[i * n + j] = l - r;
        }
}
#endif

#ifdef WRAPPED
// One comparison is of what another one has chosen.
// WRAPPED-NOT: refused
// WRAPPED: read x[i0 + i1 + n - r]
// WRAPPED: read x[i0 + i1 - r]
// WRAPPED: read x[i0 + i1 - n - r]
void f(int n, int r, const float *restrict x, const float *restrict w, float *restrict y) {
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int u = -r; u <= r; u++) {
            int p = i + u;
            if (p < 0) p += n;
            if (p >= n) p -= n;
            s += w[u + r] * x[p];
        }
        y[i] = s;
    }
}
#endif

#ifdef CHOSEN
// LLVM takes the first column out of the loop, where it asks once whether there is a second: that is 0 or 1, and not assumed to be 0.
// CHOSEN-NOT: refused
// CHOSEN: params [n, [[MORE:[a-z0-9_]+]]]
// CHOSEN-NOT: check [[MORE]] >= 0
// CHOSEN: read x[i0][-[[MORE]]]
void f(int n, const double *restrict x, double *restrict y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int below = i == n - 1 ? 0 : i + 1, above = i == 0 ? n - 1 : i - 1, right = j == n - 1 ? 0 : j + 1, left = j == 0 ? n - 1 : j - 1;
            y[i * n + j] = x[below * n + j] + x[above * n + j] + x[i * n + right] + x[i * n + left] - 4 * x[i * n + j];
        }
}
#endif

#ifdef ROWS
// Cells counted from the ends of rows are not negative; of checks that differ by a number the strongest is enough.
// ROWS-NOT: refused
// ROWS: check -n*n + 2*n + {{[0-9]+}} >= 0
// ROWS-NOT: check -n*n + 2*n + {{[0-9]+}} >= 0
// ROWS: read x[i0 - 2][n - 1]
void f(int n, const float *x, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int v = -2; v <= 2; v++) {
                int a = i - 2, b = j + v;
                if (a < 0) a = 0;
                if (a > n - 1) a = n - 1;
                if (b < 0) b = 0;
                if (b > n - 1) b = n - 1;
                s += x[a * n + b];
            }
            y[i * n + j] = s;
        }
}
#endif
