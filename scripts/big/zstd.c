#include "data.h"
#include "zstd.h"

int main(void) {
    unsigned char *data = make_data();
    size_t room = ZSTD_compressBound(LENGTH);
    char *packed = malloc(room), *back = malloc(LENGTH);
    static const int levels[] = {-5, 1, 3, 6, 9, 13, 19};
    for (int l = 0; l < 7; l++) {
        size_t n = ZSTD_compress(packed, room, data, LENGTH, levels[l]);
        size_t m = ZSTD_decompress(back, LENGTH, packed, n);
        printf("zstd %d: %zu bytes %016lx, %s\n", levels[l], n, hash(packed, n), m == LENGTH && !memcmp(data, back, LENGTH) ? "back" : "lost");
    }
    return 0;
}
