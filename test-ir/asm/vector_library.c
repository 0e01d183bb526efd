// Rows in lanes call the target's vector library, where the program takes any result: no call a lane is left in the loop of lanes.
//
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver5 -ffast-math -fveclib=libmvec -Rpass=loopwright -S %s -o %t.s 2>&1 | %FileCheck %s --check-prefix=WIDE
// RUN: %FileCheck %s --check-prefix=MVEC < %t.s
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver5 -ffast-math -fveclib=SVML -S %s -o - | %FileCheck %s --check-prefix=SVML
// RUN: %loopwright-clang --target=aarch64-linux-gnu -O3 -ffast-math -fveclib=SLEEF -S %s -o - | %FileCheck %s --check-prefix=SLEEF
// RUN: %loopwright-clang --target=aarch64-linux-gnu -O3 -ffast-math -fveclib=ArmPL -S %s -o - | %FileCheck %s --check-prefix=ARMPL
// RUN: %loopwright-clang --target=aarch64-linux-gnu -O3 -ffast-math -fveclib=ArmPL -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=CONVENTION
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver5 -ffast-math -Rpass-missed=loopwright -S %s -o %t.none.s 2>&1 | %FileCheck %s --check-prefix=NONE
double exp(double);
float expf(float);

// WIDE: loops in 8 lanes
// MVEC-LABEL: filter:
// MVEC: _ZGVdN4v_exp
// SVML-LABEL: filter:
// SVML: callq __svml_exp8@PLT
// SLEEF-LABEL: filter:
// SLEEF: bl _ZGVnN2v_exp
// ARMPL-LABEL: filter:
// ARMPL: bl armpl_vexpq_f64
// Without vectors to call it is the calls that take the time: rows abreast would gain nothing.
// NONE: vector_library.c:[[#@LINE+4]]:{{.*}}left the loops as they are
// CONVENTION-LABEL: define {{.*}}@filter(
// CONVENTION: call {{.*}}aarch64_vector_pcs <2 x double> @armpl_vexpq_f64(
void filter(int n, int m, double x[restrict n][m], double b[restrict n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) x[i][j] = x[i][j - 1] * 0.5 + exp(b[i][j]);
}

// The call is what waits.
// WIDE: loops in {{([24] vectors of )?}}16 lanes
// MVEC-LABEL: gate:
// MVEC: _ZGVdN8v_expf
// SVML-LABEL: gate:
// SVML: callq __svml_expf16@PLT
// SLEEF-LABEL: gate:
// SLEEF: bl _ZGVnN4v_expf
// ARMPL-LABEL: gate:
// ARMPL: bl armpl_vexpq_f32
void gate(int n, int m, float x[restrict n][m], float b[restrict n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) x[i][j] = 1.0f / (1.0f + expf(-(0.7f * x[i][j - 1] + b[i][j])));
}
