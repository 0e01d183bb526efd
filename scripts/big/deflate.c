#include "data.h"
#include "libdeflate.h"

int main(void) {
    unsigned char *data = make_data();
    for (int level = 0; level <= 12; level += 3) {
        struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);
        struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
        size_t room = libdeflate_zlib_compress_bound(c, LENGTH), got;
        char *packed = malloc(room), *back = malloc(LENGTH);
        size_t n = libdeflate_zlib_compress(c, data, LENGTH, packed, room);
        int status = libdeflate_zlib_decompress(d, packed, n, back, LENGTH, &got);
        printf("deflate %d: %zu bytes %016lx, %d %s, crc %08x\n", level, n, hash(packed, n), status, got == LENGTH && !memcmp(data, back, LENGTH) ? "back" : "lost",
               libdeflate_crc32(0, data, LENGTH));
    }
    return 0;
}
