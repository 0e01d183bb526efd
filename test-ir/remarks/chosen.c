// What is chosen where LLVM's vectors are poor, and what is left because other loops would compute again what the source computes once.
// RUN: %loopwright-clang -O3 -march=znver4 -Rpass=loopwright -Rpass-missed=loopwright -S -o /dev/null %s 2>&1 | %FileCheck %s
#include <math.h>

// Vectors store the same cells nine times, because the filter might be among them.
// CHECK: chosen.c:[[@LINE+2]]:5: remark: arrays told apart
void depthwise(int c, int n, float out[c][n][n], float in[c][n + 2][n + 2], float filter[c][3][3]) {
    for (int i = 0; i < c; i++)
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                out[i][y][x] = 0;
                for (int p = 0; p < 3; p++)
                    for (int q = 0; q < 3; q++) out[i][y][x] += in[i][y + p][x + q] * filter[i][p][q];
            }
}

// Short vectors of the inner loop would be put together cell by cell.
// CHECK: chosen.c:[[@LINE+2]]:5: remark: {{.*}}loops in 16 lanes
void volume(int n, const float *D, const float *E, const float *geo, const float *u, const float *v, const float *w, float *p, float *q, float *r) {
    for (int k = 0; k < n; k++) {
        float rx = geo[4 * k], sx = geo[4 * k + 1], ry = geo[4 * k + 2], sy = geo[4 * k + 3];
        for (int i = 0; i < 10; i++) {
            float ur = 0, us = 0, vr = 0, vs = 0, wr = 0, ws = 0;
            for (int j = 0; j < 10; j++) {
                float dr = D[i * 10 + j], ds = E[i * 10 + j];
                ur += dr * u[k * 10 + j];
                us += ds * u[k * 10 + j];
                vr += dr * v[k * 10 + j];
                vs += ds * v[k * 10 + j];
                wr += dr * w[k * 10 + j];
                ws += ds * w[k * 10 + j];
            }
            p[k * 10 + i] = -(ry * wr + sy * ws);
            q[k * 10 + i] = rx * wr + sx * ws;
            r[k * 10 + i] = rx * vr + sx * vs - ry * ur - sy * us;
        }
    }
}

// In loops of their own both would take the root.
// CHECK: chosen.c:[[@LINE+2]]:5: remark: left the loops as they are
void shared(int h, int w, double d[h][w], double px[h][w], double py[h][w]) {
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            double gx = j < w - 1 ? d[i][j + 1] - d[i][j] : 0, gy = i < h - 1 ? d[i + 1][j] - d[i][j] : 0;
            double norm = 1 + 0.25 * sqrt(gx * gx + gy * gy);
            px[i][j] = (px[i][j] + 0.25 * gx) / norm;
            py[i][j] = (py[i][j] + 0.25 * gy) / norm;
        }
}
