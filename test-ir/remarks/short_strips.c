// Strips of four rows of planes are short pieces of memory, far apart: there are none.
// RUN: %loopwright-clang -O3 -march=znver5 -c %s -o %t.o -Rpass=loopwright -Rpass-missed=loopwright 2>&1 | %FileCheck %s --implicit-check-not='strips of 4;' --implicit-check-not='strips of 4,'

// CHECK: short_strips.c:
#define V(c, i, j, k) v[(((c) * n + (i)) * n + (j)) * n + (k)]
#define S(c, i, j, k) s[(((c) * n + (i)) * n + (j)) * n + (k)]
void stresses(int n, const float *v, float *s, float *o) {
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++) {
                float xx = V(0, i + 1, j, k) - V(0, i - 1, j, k), yy = V(1, i, j + 1, k) - V(1, i, j - 1, k), zz = V(2, i, j, k + 1) - V(2, i, j, k - 1);
                float t = 0.3f * (xx + yy + zz);
                S(0, i, j, k) += t + 0.2f * xx;
                S(1, i, j, k) += t + 0.2f * yy;
                S(2, i, j, k) += t + 0.2f * zz;
            }
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
                o[(i * n + j) * n + k] = S(0, i + 1, j, k) - S(0, i - 1, j, k) + S(1, i, j + 1, k) - S(1, i, j - 1, k) + S(2, i, j, k + 1) - S(2, i, j, k - 1);
}
