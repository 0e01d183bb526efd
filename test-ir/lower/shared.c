// What several statements have as a part is computed once where they stand in one piece of straight code, with the cells that registers hold: copies would be made vectors of, not one.
//
// RUN: %clang -O3 -march=znver5 -S -emit-llvm -fno-discard-value-names -mllvm -print-before=loop-distribute -mllvm -print-module-scope -mllvm -filter-print-funcs=forces %s -o /dev/null 2> %t.ll
// RUN: %loopwright-opt -passes=loopwright -S %t.ll | %FileCheck %s

// CHECK: lw.loop{{.*}}:
// CHECK: lw.loop[[LOOP:[0-9]+]]:
// CHECK: fdiv double 1.0
// CHECK-NOT: fdiv
// CHECK: br i1 {{.*}} label %lw.loop[[LOOP]]
struct point { double x, y, z; };
void forces(int n, const struct point *r, struct point *f, double *energy) {
    double e = 0;
    for (int i = 0; i < n; i++) {
        struct point s = {0, 0, 0};
        for (int j = 0; j < n; j++) {
            double dx = r[i].x - r[j].x, dy = r[i].y - r[j].y, dz = r[i].z - r[j].z;
            double inverse = 1 / (dx * dx + dy * dy + dz * dz + 0.5), w = inverse * inverse * (inverse - 0.5);
            s.x += w * dx;
            s.y += w * dy;
            s.z += w * dz;
            e += 2 * inverse * (inverse - 1);
        }
        f[i] = s;
    }
    *energy = e;
}
