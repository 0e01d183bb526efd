// Sums over rows get lanes although what comes behind them cannot have any: as many rows as there are lanes, then what comes behind.
//
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver4 -S -o %t.s -Rpass=loopwright -Rpass-missed=loopwright %s 2>&1 | %FileCheck %s
// REQUIRES: x86_64

// CHECK: rows_in_lanes.c:[[#@LINE+2]]:{{.*}}: remark: {{.*}}loops in 8 lanes, nests in strips of 8;
void centred(int n, int d, const double (*x)[d], const double *w, double *mean, double *square) {
    for (int i = 0; i < n; i++) {
        double sum = 0, squares = 0;
        for (int j = 0; j < d; j++) {
            sum += x[i][j];
            squares += x[i][j] * x[i][j];
        }
        double m = sum / d, scale = squares / d - m * m + 1;
        for (int j = 0; j < d; j++) {
            double z = (x[i][j] - m) / scale;
            mean[j] += w[i] * z;
            square[j] += w[i] * z * z;
        }
    }
}

// By two loops: strips of one row are a loop.
// CHECK: rows_in_lanes.c:[[#@LINE+2]]:{{.*}}: remark: {{.*}}loops in 16 lanes, nests in strips of 1x16;
void norms_backwards(float *dx, float *dw, float *db, float *dy, float *x, float *w, float *mean, float *scale, int B, int T, int C) {
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++) {
            float *row = x + b * T * C + t * C, *out = dy + b * T * C + t * C, *in = dx + b * T * C + t * C;
            float m = mean[b * T + t], s = scale[b * T + t], sum = 0, turned = 0;
            for (int i = 0; i < C; i++) {
                float norm = (row[i] - m) * s, d = w[i] * out[i];
                sum += d;
                turned += d * norm;
            }
            sum = sum / C, turned = turned / C;
            for (int i = 0; i < C; i++) {
                float norm = (row[i] - m) * s, d = w[i] * out[i];
                db[i] += out[i];
                dw[i] += norm * out[i];
                in[i] += (d - sum - norm * turned) * s;
            }
        }
}

// Each row needs what the one before has left.
// CHECK: rows_in_lanes.c:[[#@LINE+2]]:{{.*}}: remark: left the loops as they are
void learnt(int n, int d, const float *x, const float *y, float *w) {
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = 0; j < d; j++) sum += x[i * d + j] * w[j];
        float miss = (y[i] - sum) * 0.01f;
        for (int j = 0; j < d; j++) w[j] += miss * x[i * d + j];
    }
}

// Two nests over the same rows, too, as if they were one.
// CHECK: rows_in_lanes.c:[[#@LINE+2]]:{{.*}}: remark: {{.*}}loops in 16 lanes, nests in strips of 1x16;
void by_two_nests(float *dx, float *dw, float *db, float *dy, float *x, float *w, float *mean, float *scale, float *sum, float *turned, int B, int T, int C) {
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++) {
            float *row = x + b * T * C + t * C, *out = dy + b * T * C + t * C;
            float m = mean[b * T + t], s = scale[b * T + t], added = 0, product = 0;
            for (int i = 0; i < C; i++) {
                float norm = (row[i] - m) * s, d = w[i] * out[i];
                added += d;
                product += d * norm;
            }
            sum[b * T + t] = added;
            turned[b * T + t] = product;
        }
    for (int b = 0; b < B; b++)
        for (int t = 0; t < T; t++) {
            float *row = x + b * T * C + t * C, *out = dy + b * T * C + t * C, *in = dx + b * T * C + t * C;
            float m = mean[b * T + t], s = scale[b * T + t], added = sum[b * T + t] / C, product = turned[b * T + t] / C;
            for (int i = 0; i < C; i++) {
                float norm = (row[i] - m) * s, d = w[i] * out[i];
                db[i] += out[i];
                dw[i] += norm * out[i];
                in[i] += (d - added - norm * product) * s;
            }
        }
}

// What memory limits at the sizes that the model takes gains in caches; with fewer groups than lanes the source runs.
// CHECK: rows_in_lanes.c:[[#@LINE+3]]:{{.*}}: remark: {{.*}}loops in 16 lanes, nests in strips of 1x16;
void groups_backwards(int N, int C, int G, int S, const float *x, const float *dy, const float *mean, const float *scale, const float *w, float *dx, float *dw, float *db) {
    int D = C / G;
    for (int n = 0; n < N; n++)
        for (int g = 0; g < G; g++) {
            float sum = 0, turned = 0, m = mean[n * G + g], r = scale[n * G + g];
            for (int d = 0; d < D; d++) {
                int c = g * D + d;
                for (int s = 0; s < S; s++) {
                    int k = (n * C + c) * S + s;
                    sum += dy[k] * w[c];
                    turned += dy[k] * w[c] * ((x[k] - m) * r);
                }
            }
            sum /= D * S, turned /= D * S;
            for (int d = 0; d < D; d++) {
                int c = g * D + d;
                for (int s = 0; s < S; s++) {
                    int k = (n * C + c) * S + s;
                    float norm = (x[k] - m) * r;
                    dx[k] = r * (dy[k] * w[c] - sum - norm * turned);
                    dw[c] += dy[k] * norm;
                    db[c] += dy[k];
                }
            }
        }
}
