// Loops over points that share a line with a loop over a small window are as long as the least of what bounds them: that the picture is larger is no matter. It was run by the source from 34 points on.
// RUN: %loopwright-clang -O3 -march=znver4 -w -S -emit-llvm -fno-discard-value-names -Rpass=loopwright %s -o - 2>&1 | %FileCheck %s

// CHECK: any_size.c:[[#@LINE+5]]:5: remark: interchanged loops, distributed, register tile
// CHECK-LABEL: define {{.*}} @channels_inside(
// CHECK-NOT: icmp {{slt|ult|sle|ule}} i32 %n, {{[1-9]}}
// CHECK: br i1 {{.*}}label %lw.more, label %lw.fallback
void channels_inside(int n, int ci, int co, const float *x, const float *w, const float *b, float *y) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int o = 0; o < co; o++) {
                float s = b[o];
                for (int u = 0; u < 3; u++)
                    for (int v = 0; v < 3; v++) {
                        int yy = i + u - 1, xx = j + v - 1;
                        if (yy < 0 || yy >= n || xx < 0 || xx >= n) continue;
                        for (int c = 0; c < ci; c++) s += x[(yy * n + xx) * ci + c] * w[((u * 3 + v) * ci + c) * co + o];
                    }
                y[(i * n + j) * co + o] = s;
            }
}
