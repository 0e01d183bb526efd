// Products of few rows and columns, whose loops LLVM unrolls. It loads what it can ahead of the loop that is left, and where arrays may meet it makes no vectors of so few iterations.
// RUN: %loopwright-clang -target x86_64-linux-gnu -O3 -march=znver4 -Rpass=loopwright -Rpass-missed=loopwright -S %s -o %t.s 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=ASM --input-file=%t.s
// Short vectors it makes of neighbouring terms itself.
// RUN: %loopwright-clang -target x86_64-linux-gnu -O3 -march=haswell -Rpass=loopwright -Rpass-missed=loopwright -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=SHORT

// CHECK: few_rows.c:[[#@LINE+6]]:5: remark: {{.*}}register tile 6x8
// SHORT: few_rows.c:[[#@LINE+5]]:5: remark: {{.*}}register tile 6x{{[48]}}
// ASM-LABEL: unknown:
// ASM-COUNT-6: vfmadd231pd {{.*}}{1to8}{{.*}}%zmm
// ASM: .Lfunc_end
void unknown(double (*a)[6], double (*b)[6], double (*c)[6]) {
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double s = 0;
            for (int k = 0; k < 6; k++) s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

// CHECK: few_rows.c:[[#@LINE+6]]:5: remark: {{.*}}register tile 6x8
// SHORT: few_rows.c:[[#@LINE+5]]:5: remark: left the loops as they are
// ASM-LABEL: apart:
// ASM-NOT: {{vgather|vscatter}}
// ASM: .Lfunc_end
void apart(double (*restrict a)[6], double (*restrict b)[6], double (*restrict c)[6]) {
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            c[i][j] = 0;
            for (int k = 0; k < 6; k++) c[i][j] += a[i][k] * b[k][j];
        }
}

// As fast as can be: one vector of columns under a mask, the second matrix in registers.
// CHECK: few_rows.c:[[#@LINE+2]]:5: remark: left the loops as they are
void in_registers(float (*restrict a)[12], float (*restrict b)[12], float (*restrict c)[12]) {
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) {
            float s = 0;
            for (int k = 0; k < 12; k++) s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

// Its vectors would be ones of rows, gathered and scattered.
// CHECK: few_rows.c:[[#@LINE+2]]:5: remark: left the loops as they are
void of_rows(float (*a)[3], float (*b)[5], float (*c)[5]) {
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 5; j++) {
            c[i][j] = 0;
            for (int k = 0; k < 3; k++) c[i][j] += a[i][k] * b[k][j];
        }
}

// CHECK: few_rows.c:[[#@LINE+3]]:9: remark: arrays told apart
void of_columns(float (*a)[16], float (*b)[9], float (*c)[9]) {
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 9; j++) {
            float s = 0;
            for (int k = 0; k < 16; k++) s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

// An array of its own for every iteration.
// CHECK: few_rows.c:[[#@LINE+3]]:5: remark: {{.*}}register tile 6x8
// SHORT: few_rows.c:[[#@LINE+2]]:5: remark: {{.*}}register tile 6x{{[48]}}
void congruence(int count, double (*a)[6][6], double (*b)[6][6], double (*c)[6][6]) {
    for (int e = 0; e < count; e++) {
        double t[6][6];
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                double s = 0;
                for (int k = 0; k < 6; k++) s += a[e][i][k] * b[e][k][j];
                t[i][j] = s;
            }
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++) {
                double s = 0;
                for (int k = 0; k < 6; k++) s += b[e][k][i] * t[k][j];
                c[e][i][j] = s;
            }
    }
}
