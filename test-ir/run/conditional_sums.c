// Sums of terms that data choose, in registers of the source: what is read only where a condition holds may not be there otherwise, so lanes read it under masks. Arrays end early here, and the conditions keep
// the program from what is behind them.
// RUN: %execute %s
// RUN: %execute --lanes=4,8 %s
#include "kernel.h"

// Which of n there are: none of the last half.
static inline void half(int n, int *is) {
    for (int i = n / 2; i < n; i++) is[i] = -1;
}

KERNEL(classes, "double n/2, int n, double m, noalias", double *v, int *class, double *s) {
    half(n, class);
    for (int c = 0; c < m; c++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            if ((class[i] & 7) == (c & 7) && class[i] >= 0) sum += v[i];
        s[c] = sum;
    }
}

KERNEL(classes_in_memory, "float n/2, int n, float m, noalias", float *v, int *class, float *s) {
    half(n, class);
    for (int c = 0; c < m; c++) {
        s[c] = 0;
        for (int i = 0; i < n; i++)
            if (class[i] % 4 == c % 4) s[c] += v[i];
    }
}

KERNEL(thresholds, "double n, double m, double n, float n, float m", double *x, double *t, double *w, float *u, float *c) {
    for (int j = 0; j < m; j++) {
        float sum = 0.5f, most = -1;
        for (int i = 0; i < n; i++)
            if (x[i] >= t[j]) {
                sum += (float)w[i];
                most = most > u[i] ? most : u[i];
            }
        c[j] = sum * most;
    }
}

// Rows in lanes; zeros.
KERNEL(rows_without_zeros, "int n*m, double n*m, double m/2, double n, noalias", int *is, double *A, double *x, double *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (j >= m / 2 || is[i * m + j] % 3 == 0) A[i * m + j] = 0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < m; j++)
            if (A[i * m + j] != 0) sum += A[i * m + j] * x[j];
        y[i] = sum;
    }
}

KERNEL(pairs_within, "float n, float n, float n, float n, float n", float *x, float *y, float *q, float *fx, float *fy) {
    for (int i = 0; i < n; i++) {
        float a = 0, b = 0;
        for (int j = 0; j < n; j++) {
            float dx = x[i] - x[j], dy = y[i] - y[j], r = dx * dx + dy * dy;
            if (r < 0.5f) {
                a += q[j] * dx;
                b -= q[j] * dy / (r + 1);
            }
        }
        fx[i] = a;
        fy[i] = b;
    }
}

// What is read under the condition moves with the lanes: forwards and backwards, every second and apart, and by remainders.
KERNEL(moving, "int n, double m*(n/2), double m*(n/2), double m, double m, noalias", int *is, double *A, double *B, double *a, double *b) {
    half(n, is);
    for (int j = 0; j < m; j++) {
        double s = 0, t = 0;
        for (int i = 0; i < n; i++)
            if (is[i] > 0 && is[i] % 8 != j % 8) {
                s += A[i * m + j];
                t -= B[i * m + m - 1 - j];
            }
        a[j] = s;
        b[j] = t;
    }
}

KERNEL(moving_apart, "int n, float 2*m*(n/2), int m*(n/2), float m, int m, noalias", int *is, float *C, int *D, float *c, int *d) {
    half(n, is);
    for (int j = 0; j < m; j++) {
        float u = 0;
        int v = 1;
        for (int i = 0; i < n; i++)
            if (is[i] > 0 && is[i] != j) {
                u += C[2 * (i * m + j)];
                v ^= D[j * (n / 2) + i];
            }
        c[j] = u;
        d[j] = v;
    }
}

// Conditions behind conditions, the other way round, and a loop that they leave early.
KERNEL(behind_each_other, "int n, int n/2, double n/4, double m, noalias", int *p, int *q, double *v, double *s) {
    half(n, p);
    for (int i = n / 4; i < n / 2; i++) q[i] = 5;
    for (int j = 0; j < m; j++) {
        double sum = 1;
        for (int i = 0; i < n; i++) {
            if (p[i] < 0) continue;
            if (q[i] == 5 || q[i] % 4 == j % 4) continue;
            sum = sum * 0.5 + v[i];
        }
        s[j] = sum;
    }
}

KERNEL(mask_of_keys, "int n, float n*8, float (n/2)*8, float n*8, noalias", int *pad, float *q, float *v, float *o) {
    for (int j = 0; j < n; j++) pad[j] = j >= n / 2 || pad[j] % 2;
    for (int i = 0; i < n; i++)
        for (int d = 0; d < 8; d++) {
            float sum = 0;
            for (int j = 0; j < n; j++) {
                if (pad[j] == 1) continue;
                sum += q[i * 8 + d] * v[j * 8 + d];
            }
            o[i * 8 + d] = sum;
        }
}

KERNEL(products_of_masked, "int n*m, double n*m, double m*n, double n*n", int *mask, double *A, double *B, double *C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = C[i * n + j];
            for (int l = 0; l < m; l++)
                if (mask[i * m + l] & 1) sum += A[i * m + l] * B[l * n + j];
            C[i * n + j] = sum;
        }
}

// Conditions outside of a loop decide how much there is to do.
KERNEL(sampled, "int n*n, double n*m, double m*n, double n*n", int *mask, double *A, double *B, double *C) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (mask[i * n + j] % 3) {
                C[i * n + j] = 0;
                continue;
            }
            double sum = 0;
            for (int l = 0; l < m; l++) sum += A[i * m + l] * B[l * n + j];
            C[i * n + j] = sum;
        }
}

// Means of what is a number: a sum and a count, used behind the loop and no more.
KERNEL(means, "double n*m, double n, double m", double *A, double *rows, double *columns) {
    for (int i = 0; i < n * m; i += 3) A[i] = 0.0 / 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0;
        int count = 1;
        for (int j = 0; j < m; j++)
            if (A[i * m + j] == A[i * m + j]) {
                sum += A[i * m + j];
                count++;
            }
        rows[i] = sum / count;
    }
    for (int j = 0; j < m; j++) {
        double sum = 0;
        int count = 1;
        for (int i = 0; i < n; i++)
            if (A[i * m + j] == A[i * m + j]) {
                sum += A[i * m + j];
                count++;
            }
        columns[j] = sum / count;
    }
}

// The new value is used where the old one stays.
KERNEL(used_elsewhere, "double n, double m, double m, double n*m", double *x, double *t, double *s, double *all) {
    for (int j = 0; j < m; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            double with = sum + x[i] * t[j];
            all[i * m + j] = with;
            if (x[i] > t[j]) sum = with;
        }
        s[j] = sum;
    }
}

KERNEL(places, "float n, float m, int m, float m", float *x, float *t, int *at, float *least) {
    for (int j = 0; j < m; j++) {
        float best = 1e30f;
        int place = -1;
        for (int i = 0; i < n; i++) {
            float d = x[i] - t[j];
            if (d * d < best) {
                best = d * d;
                place = i;
            }
        }
        at[j] = place;
        least[j] = best;
    }
}

// Scalars that start under a condition, and end in cells that are not there otherwise.
KERNEL(not_all_start, "int m, int n, float n, float m/2, float m/2, noalias", int *g, int *c, float *v, float *o, float *p) {
    half(m, g);
    for (int j = 0; j < m; j++) {
        if (g[j] < 0) continue;
        float s = 0, t = p[j];
        for (int i = 0; i < n; i++)
            if (c[i] % 4 == j % 4) {
                s += v[i];
                t -= v[i];
            }
        o[j] = s;
        p[j] = t;
    }
}
