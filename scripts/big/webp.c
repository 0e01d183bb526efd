#include "data.h"
#include "src/webp/decode.h"
#include "src/webp/encode.h"

int main(void) {
    enum { W = 517, H = 389 };
    uint8_t *image = malloc(3 * W * H), *packed;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            for (int c = 0; c < 3; c++) image[3 * (y * W + x) + c] = (uint8_t)((x * (c + 1) + y * y / 37 + (x ^ y) % 23) & 255);
    for (int quality = 10; quality <= 110; quality += 25) {
        size_t n = quality > 100 ? WebPEncodeLosslessRGB(image, W, H, 3 * W, &packed) : WebPEncodeRGB(image, W, H, 3 * W, quality, &packed);
        int w = 0, h = 0;
        uint8_t *back = WebPDecodeRGB(packed, n, &w, &h);
        printf("webp %d: %zu bytes %016lx, %d x %d %016lx\n", quality, n, hash(packed, n), w, h, back ? hash(back, 3 * W * H) : 0);
    }
    return 0;
}
