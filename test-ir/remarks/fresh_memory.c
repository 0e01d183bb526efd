// Steps through a second grid, which is copied back: with a grid for each step no cache would hold them, and all of it would be written to memory.
// RUN: %loopwright-clang --target=x86_64-linux-gnu -O3 -march=znver4 -c -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not="memory for every iteration"

// CHECK: fresh_memory.c:[[#@LINE+2]]:3: remark: nests in strips of
void heat(double (*restrict u)[512], double (*restrict v)[512]) {
  for (int t = 0; t < 10; t++) {
    for (int i = 1; i < 511; i++)
      for (int j = 1; j < 511; j++) v[i][j] = u[i][j] + 0.1 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1] - 4 * u[i][j]);
    for (int i = 1; i < 511; i++)
      for (int j = 1; j < 511; j++) u[i][j] = v[i][j];
  }
}
