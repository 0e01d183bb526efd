// A number for all that is in memory.
#include <stdint.h>
#include <string.h>

__attribute__((noinline)) static uint64_t hash(uint64_t h, const void *memory, size_t bytes) {
    for (size_t i = 0; i + 8 <= bytes; i += 8) {
        uint64_t word;
        memcpy(&word, (const char *)memory + i, 8);
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

// An address of which the compiler knows nothing.
__attribute__((unused)) static void *somewhere(void *p) {
    __asm__("" : "+r"(p));
    return p;
}
