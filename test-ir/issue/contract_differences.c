// A product of which something is taken (`a * b - c`) AArch64's back end makes one operation with the difference for scalars; for vectors only where that pays, and where `c` is a product itself it takes that one instead
// (found with random nests under `-ffp-contract=fast`): what LLVM makes vectors of nobody knows. Sums of products, and what products are taken from, are the same for both. For some processors, and below `-O3`, it makes a
// product one operation with each of several sums.
// RUN: %loopwright-clang -O3 --target=aarch64-linux-gnu -mcpu=neoverse-n1 -ffp-contract=fast -w -Rpass=loopwright -Rpass-missed=loopwright -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefixes=CHECK,ARM,ONE
// RUN: %loopwright-clang -O3 --target=x86_64-linux-gnu -march=x86-64-v3 -ffp-contract=fast -w -Rpass=loopwright -Rpass-missed=loopwright -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefixes=CHECK,X86,ONE
// RUN: %loopwright-clang -O3 --target=aarch64-linux-gnu -mcpu=neoverse-n1 -w -Rpass=loopwright -Rpass-missed=loopwright -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefixes=CHECK,X86,ONE
// RUN: %loopwright-clang -O2 --target=aarch64-linux-gnu -mcpu=apple-m1 -ffp-contract=fast -w -Rpass=loopwright -Rpass-missed=loopwright -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefixes=CHECK,ARM,ALL

// ARM-DAG: contract_differences.c:[[#@LINE+3]]:5: remark: cannot transform the loops: whether the back end makes a product one operation with what is taken from it depends on vectors
// X86-DAG: contract_differences.c:[[#@LINE+2]]:5: remark: {{.*}}predicted
void of_two(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j] - a[k][i] * b[k][i];
}

// ARM-DAG: contract_differences.c:[[#@LINE+3]]:5: remark: cannot transform the loops: whether the back end makes a product one operation with what is taken from it depends on vectors
// X86-DAG: contract_differences.c:[[#@LINE+2]]:5: remark: {{.*}}predicted
void less_than_product(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j] - a[k][i];
}

// CHECK-DAG: contract_differences.c:[[#@LINE+2]]:5: remark: {{.*}}predicted
void less_a_product(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i][j] -= a[i][k] * b[k][j];
}

// CHECK-DAG: contract_differences.c:[[#@LINE+2]]:5: remark: {{.*}}predicted
void sum_of_two(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j] + a[k][i] * b[k][i];
}

// ARM-DAG: contract_differences.c:[[#@LINE+3]]:5: remark: cannot transform the loops: the back end may add a value to itself where it is doubled, and make another product one operation with the sum
// X86-DAG: contract_differences.c:[[#@LINE+2]]:5: remark: {{.*}}predicted
void doubled(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) c[j][i] = a[j][i] * 2 + b[j][i] * b[i][j];
}

// ALL-DAG: contract_differences.c:[[#@LINE+3]]:5: remark: cannot transform the loops: the back end may make a product one operation with each of several sums
// ONE-DAG: contract_differences.c:[[#@LINE+2]]:5: remark: {{.*}}predicted
void of_several(int n, double u, double c[restrict n][n], double b[restrict n][n], double a[restrict n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double t = a[j][i] * u;
            c[j][i] += t;
            b[j][i] = t - b[j][i];
        }
}
