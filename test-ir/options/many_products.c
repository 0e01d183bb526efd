// A hundred products, neighbours not the same (those become a loop): not all of them can be planned within the budget of steps, nor written within the bound on code. What there is goes to the first ones,
// which end well, not to all of them in shares that are enough for none.

// RUN: %loopwright-clang -O3 -march=x86-64-v3 -c %s -o /dev/null -Rpass=loopwright -Rpass-missed=loopwright > %t 2>&1
// RUN: grep -c 'register tile' %t | %FileCheck %s --check-prefix=DONE
// RUN: grep -c 'option growth' %t | %FileCheck %s --check-prefix=GROWN
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -c %s -o /dev/null -Rpass=loopwright -Rpass-missed=loopwright -mllvm -loopwright-budget=1000000 2>&1 | %FileCheck %s --check-prefix=LITTLE
// RUN: %loopwright-clang -O3 -march=x86-64-v3 -c %s -o /dev/null -Rpass=loopwright -Rpass-missed=loopwright -mllvm -loopwright-budget=100000 2>&1 | %FileCheck %s --check-prefix=NONE

// DONE: {{^([89]|1[0-9])$}}
// GROWN: {{^[1-9][0-9]$}}

// LITTLE-DAG: register tile
// LITTLE-DAG: step budget exhausted

// NONE-NOT: register tile
// NONE: step budget exhausted
// NONE-NOT: register tile

#define LOOPS for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++)
#define TWO LOOPS c[i][j] += a[i][k] * b[k][j]; LOOPS c[i][j] += b[i][k] * a[k][j];
#define TEN TWO TWO TWO TWO TWO
void hundred(int n, double (*restrict c)[n], double (*restrict a)[n], double (*restrict b)[n]) {
  TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
}
