// Smoothing of an image by Deriche's recursive filter: there and back along rows, then there and back along columns.
#include "../harness.h"

KERNEL deriche(int w, int h, float alpha, float in[w][h], float out[w][h], float there[w][h], float back[w][h]) {
    float e = expf(-alpha), gain = (1.0f - e) * (1.0f - e) / (1.0f + 2.0f * alpha * e - e * e);
    float a0 = gain, a1 = gain * e * (alpha - 1.0f), a2 = gain * e * (alpha + 1.0f), a3 = -gain * e * e;
    float b1 = 2.0f * e, b2 = -e * e;
    for (int i = 0; i < w; i++) {
        float x1 = 0.0f, y1 = 0.0f, y2 = 0.0f;
        for (int j = 0; j < h; j++) {
            there[i][j] = a0 * in[i][j] + a1 * x1 + b1 * y1 + b2 * y2;
            x1 = in[i][j];
            y2 = y1;
            y1 = there[i][j];
        }
    }
    for (int i = 0; i < w; i++) {
        float x1 = 0.0f, x2 = 0.0f, y1 = 0.0f, y2 = 0.0f;
        for (int j = h - 1; j >= 0; j--) {
            back[i][j] = a2 * x1 + a3 * x2 + b1 * y1 + b2 * y2;
            x2 = x1;
            x1 = in[i][j];
            y2 = y1;
            y1 = back[i][j];
        }
    }
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++) out[i][j] = there[i][j] + back[i][j];
    for (int j = 0; j < h; j++) {
        float x1 = 0.0f, y1 = 0.0f, y2 = 0.0f;
        for (int i = 0; i < w; i++) {
            there[i][j] = a0 * out[i][j] + a1 * x1 + b1 * y1 + b2 * y2;
            x1 = out[i][j];
            y2 = y1;
            y1 = there[i][j];
        }
    }
    for (int j = 0; j < h; j++) {
        float x1 = 0.0f, x2 = 0.0f, y1 = 0.0f, y2 = 0.0f;
        for (int i = w - 1; i >= 0; i--) {
            back[i][j] = a2 * x1 + a3 * x2 + b1 * y1 + b2 * y2;
            x2 = x1;
            x1 = out[i][j];
            y2 = y1;
            y1 = back[i][j];
        }
    }
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++) out[i][j] = there[i][j] + back[i][j];
}

int main(int argc, char **argv) {
    int n = size_argument(argc, argv, 2000);
    size_t image = (size_t)n * n;
    void *in = allocate(image * sizeof(float));
    void *out = allocate(image * sizeof(float));
    void *there = allocate(image * sizeof(float));
    void *back = allocate(image * sizeof(float));
    fill_floats(in, image, 1);
    MEASURE((fill_floats(out, image, 2), fill_floats(there, image, 3), fill_floats(back, image, 4)),
            deriche(n, n, 0.25f, in, out, there, back));
    add_to_hash(out, image * sizeof(float));
    return report();
}
