// Bytes to compress: runs, repeats and noise, the same on every machine.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 3 << 20 };

static unsigned char *make_data(void) {
    unsigned char *p = malloc(LENGTH);
    uint64_t s = 88172645463325252u;
    for (size_t i = 0; i < LENGTH;) {
        s ^= s << 13, s ^= s >> 7, s ^= s << 17;
        size_t n = s >> 40 & 255, left = LENGTH - i;
        n = n < left ? n : left;
        if ((s & 3) == 0 && i > 70000) memcpy(p + i, p + i - 256 - (s >> 20 & 65535) % 60000, n);
        else if ((s & 3) == 1) memset(p + i, (int)(s >> 8 & 15), n);
        else
            for (size_t k = 0; k < n; k++) p[i + k] = (unsigned char)((s >> (k & 31)) & 63);
        i += n;
    }
    return p;
}

static uint64_t hash(const void *data, size_t n) {
    uint64_t h = 1;
    for (size_t i = 0; i < n; i++) h = (h ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
    return h;
}
