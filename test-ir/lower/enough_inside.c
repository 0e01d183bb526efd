// A loop that was outside and is innermost now must have enough iterations, else the source runs: also where the loop that was innermost has a constant length.
//
// RUN: %loopwright-clang -O3 -march=emeraldrapids -S -emit-llvm -Rpass=loopwright %s -o - 2>&1 | %FileCheck %s
// REQUIRES: x86_64

double a[32000], b[32000];

// CHECK: enough_inside.c:[[#@LINE+4]]:5: remark: interchanged loops
// CHECK-LABEL: define {{.*}}@often(
// CHECK: icmp sgt i32 %{{.*}}, 47
void often(int times) {
    for (int t = 0; t < times; t++)
        for (int i = 0; i < 32000; i++)
            if (b[i] > 0) a[i] = b[i];
}
