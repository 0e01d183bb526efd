// Numbers in loops over narrow cells have as few bits as yield the same; what wants all bits keeps them.
// RUN: %loopwright-clang -target x86_64-linux-gnu -O3 -march=x86-64-v3 -fno-vectorize -fno-unroll-loops -Rpass=loopwright -emit-llvm -S %s -o %t.ll 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=IR --input-file=%t.ll
#include <stdint.h>

// A magnitude and a clamp.
// CHECK: operations.c:[[#@LINE+6]]:5: remark: computes with 16-bit numbers what the source computes with 32-bit ones
// IR-LABEL: @gradient(
// IR: zext i8 {{.*}} to i16
// IR: sub {{.*}}i16
// IR-NOT: i32 @llvm.abs
void gradient(int n, uint8_t *restrict o, uint8_t *restrict x) {
    for (int i = 0; i < n; i++) {
        int d = 2 * (x[i + 2] - x[i]);
        if (d < 0) d = -d;
        o[i] = d > 255 ? 255 : d;
    }
}

// The middle one of three needs no more bits than they have.
// CHECK: operations.c:[[#@LINE+4]]:5: remark: computes with 8-bit numbers
// IR-LABEL: @median(
// IR: i8 @llvm.u{{min|max}}.i8
void median(int n, uint8_t *restrict o, uint8_t *restrict x) {
    for (int i = 0; i < n; i++) {
        int a = x[i], b = x[i + 1], c = x[i + 2];
        int more = a > b ? a : b, less = a < b ? a : b;
        int top = more < c ? more : c;
        o[i] = less > top ? less : top;
    }
}

// 65536 is no 16-bit number, and 65535 none with a sign: a comparison without.
// CHECK: operations.c:[[#@LINE+4]]:5: remark: computes with 16-bit numbers
// IR-LABEL: @up_to_65535(
// IR: icmp u{{[lg][te]}} i16
void up_to_65535(int n, uint8_t *restrict o, uint8_t *restrict x, uint8_t *restrict y) {
    for (int i = 0; i < n; i++) o[i] = x[i] * y[i] + 2 * x[i] > 40000;
}

// CHECK-NOT: remark: computes
// IR-LABEL: @beyond_65535(
// IR-NOT: icmp {{.*}} i16
// IR: {{^}$}}
void beyond_65535(int n, uint8_t *restrict o, uint8_t *restrict x, uint8_t *restrict y) {
    for (int i = 0; i < n; i++) o[i] = x[i] * y[i] + 2 * x[i] + y[i] > 40000;
}

// A shift by the sign of what is shifted: the sum is below zero, its square is not and has no place among signed numbers.
// CHECK: operations.c:[[#@LINE+5]]:5: remark: computes with 16-bit numbers
// IR-LABEL: @shifts(
// IR-DAG: ashr i16
// IR-DAG: lshr i16
void shifts(int n, uint8_t *restrict o, uint8_t *restrict x, uint8_t *restrict y) {
    for (int i = 0; i < n; i++) {
        int below = (x[i] - y[i]) >> 1, square = (x[i] * x[i]) >> 3;
        o[i] = below > square ? 1 : y[i];
    }
}

// One of the cells is wide: there would be no more lanes.
// CHECK-NOT: remark: computes
void wide_cells(int n, int *restrict o, uint8_t *restrict x) {
    for (int i = 0; i < n; i++) o[i] = x[i] + 2 * x[i + 1] > 300 ? x[i] : 7;
}

// What is carried has all its bits: the processor has instructions for such sums.
// CHECK-NOT: remark: computes
int differences(int n, uint8_t *restrict x, uint8_t *restrict y, uint8_t *restrict o) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int d = x[i] - y[i];
        d = d < 0 ? -d : d;
        sum += d;
        o[i] = d > 9;
    }
    return sum;
}

// Its last value is used behind the loop.
// CHECK-NOT: remark: computes
int used_behind(int n, uint8_t *restrict o, uint8_t *restrict x) {
    int last = 0;
    for (int i = 0; i < n; i++) {
        last = x[i] + x[i + 1];
        o[i] = last > 300;
    }
    return last;
}

// What LLVM's vectoriser narrows itself is left to it.
// CHECK-NOT: remark: computes
void smooth(int n, uint8_t *restrict o, uint8_t *restrict x) {
    for (int i = 0; i < n; i++) o[i] = (x[i] + 2 * x[i + 1] + x[i + 2] + 2) >> 2;
}

// Nothing but stores to where nobody knows: no vectors.
// CHECK-NOT: remark: computes
void scattered(int n, uint8_t *restrict o, uint8_t *restrict x, int *restrict at) {
    for (int i = 0; i < n; i++) o[at[i]] = x[i] + x[i + 1] > 300;
}
