#include "data.h"
#include "lz4.h"
#include "lz4hc.h"

int main(void) {
    unsigned char *data = make_data();
    int room = LZ4_compressBound(LENGTH);
    char *packed = malloc(room), *back = malloc(LENGTH);
    for (int level = -8; level <= 12; level += 4) {
        int n = level <= 0 ? LZ4_compress_fast((char *)data, packed, LENGTH, room, 1 - level) : LZ4_compress_HC((char *)data, packed, LENGTH, room, level);
        int m = LZ4_decompress_safe(packed, back, n, LENGTH);
        printf("lz4 %d: %d bytes %016lx, %s\n", level, n, hash(packed, n), m == LENGTH && !memcmp(data, back, LENGTH) ? "back" : "lost");
    }
    return 0;
}
