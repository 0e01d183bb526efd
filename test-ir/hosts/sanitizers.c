// Programs with sanitizers and coverage stay what they are: counters, checks and shadow memory are neither lost nor moved.
// REQUIRES: compiler-rt
// RUN: %both -O2 -fsanitize=address %S/Inputs/program.c
// RUN: %both -O2 -fsanitize=undefined -fno-sanitize-recover=all %S/Inputs/program.c
// RUN: %both -O2 -fsanitize=undefined -fsanitize-trap=all %S/Inputs/program.c
// RUN: %both -O2 -fsanitize=address,undefined,integer %S/Inputs/program.c
// RUN: %both -O2 -fsanitize=bounds,null,alignment -fsanitize-minimal-runtime %S/Inputs/program.c
// RUN: %both -O3 -fsanitize=memory -fPIE -pie %S/Inputs/program.c
// RUN: %both -O3 -fsanitize=thread %S/Inputs/program.c
// RUN: %both -O3 -fsanitize=safe-stack %S/Inputs/program.c
// RUN: %both -O3 -fsanitize=leak %S/Inputs/program.c
// RUN: %both -O2 -fxray-instrument -fxray-instruction-threshold=1 %S/Inputs/program.c

// What the address sanitizer finds without the plugin it finds with it.
// RUN: %loopwright-clang -w -g -O2 -fsanitize=address -mllvm -loopwright-policy=force -DBAD %s -o %t && not %t 2>&1 | %FileCheck %s
// CHECK: global-buffer-overflow
static double A[8][8], B[8][8];

int main(int count, char **arguments) {
    (void)arguments;
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 8 + count; i++) A[i][j] += B[i][j] + 1.0;
    return A[1][1] != 1.0;
}
