// Errors that are diffused to neighbours come back in the next iteration: in the source through memory, as parts of vectors that were just stored.
//
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver4 -S -o %t.s -Rpass=loopwright -Rpass-missed=loopwright %s 2>&1 | %FileCheck %s
// REQUIRES: x86_64

// CHECK: diffused.c:[[#@LINE+2]]:{{.*}}: remark: arrays told apart;
void floyd_steinberg(int w, int h, short *image, unsigned char *out) {
    for (int y = 0; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            int value = image[y * w + x], shown = value < 128 ? 0 : 255, error = value - shown;
            out[y * w + x] = shown;
            image[y * w + x + 1] += error * 7 / 16;
            image[(y + 1) * w + x - 1] += error * 3 / 16;
            image[(y + 1) * w + x] += error * 5 / 16;
            image[(y + 1) * w + x + 1] += error / 16;
        }
}

// CHECK: diffused.c:[[#@LINE+2]]:{{.*}}: remark: accesses told apart;
void atkinson(int w, int h, float *image) {
    for (int y = 0; y < h - 2; y++)
        for (int x = 1; x < w - 2; x++) {
            float value = image[y * w + x], shown = value < 0.5f ? 0 : 1, error = (value - shown) / 8;
            image[y * w + x] = shown;
            image[y * w + x + 1] += error;
            image[y * w + x + 2] += error;
            image[(y + 1) * w + x - 1] += error;
            image[(y + 1) * w + x] += error;
            image[(y + 1) * w + x + 1] += error;
            image[(y + 2) * w + x] += error;
        }
}

// What only the next cell of one row gets stays in registers anyway.
// CHECK: diffused.c:[[#@LINE+2]]:{{.*}}: remark: left the loops as they are
void in_a_row(int n, float *row) {
    for (int x = 1; x < n; x++) row[x] += 0.5f * row[x - 1];
}

// Rows that may lie two cells apart: nothing stays in registers, and vectors of what is stored side by side would be waited for.
// CHECK: diffused.c:[[#@LINE+3]]:{{.*}}: remark: left the loops as they are
void rows_that_may_touch(int n, int m, int pitch, int *x, short *shown, int *errors) {
    for (int i = 0; i < n - 1; i++)
        for (int j = pitch; j < m - 2; j++) {
            int value = x[i * pitch + j], show = value > 3 ? 20 : 0, error = value - show;
            shown[i * pitch + j] = show;
            x[i * pitch + j + 1] += error;
            x[(i + 1) * pitch + j - 1] += error / 16;
            errors[i * pitch + j] = error / 16;
            x[(i + 1) * pitch + j] += error / 8;
        }
}
