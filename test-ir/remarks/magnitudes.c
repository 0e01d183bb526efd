// Sums of magnitudes of differences of bytes are one instruction for many of them, which LLVM finds in the source: in loops, and side by side where short ones are unrolled. We have nothing
// that is as fast; products of bytes are no such sums.
//
// RUN: %loopwright-clang -O3 -march=emeraldrapids -S -o /dev/null -Rpass=loopwright -Rpass-missed=loopwright %s 2>&1 | %FileCheck %s
// REQUIRES: x86_64

typedef unsigned char byte;

// CHECK: magnitudes.c:[[#@LINE + 2]]:3: remark: left the loops as they are: the loops are already in the best form found
void rows(int n, byte a[n][n], byte b[n][n], int out[n]) {
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int x = 0; x < n; x++) {
      int d = a[i][x] - b[i][x];
      s += d < 0 ? -d : d;
    }
    out[i] = s;
  }
}

// CHECK: magnitudes.c:[[#@LINE + 2]]:3: remark: left the loops as they are: the loops are already in the best form found
void blocks(int n, byte a[n][n], byte b[n][n], int out[n][n]) {
  for (int i = 0; i < n - 16; i++)
    for (int j = 0; j < n - 16; j++) {
      int s = 0;
      for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++) {
          int d = a[y][x] - b[i + y][j + x];
          s += d < 0 ? -d : d;
        }
      out[i][j] = s;
    }
}

// CHECK: magnitudes.c:[[#@LINE + 2]]:3: remark: {{.*}}register tile {{.*}}
void products(int n, byte a[n][n], byte b[n][n], int out[n][n]) {
  for (int i = 0; i < n - 16; i++)
    for (int j = 0; j < n - 16; j++) {
      int s = 0;
      for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++) s += a[y][x] * b[i + y][j + x];
      out[i][j] = s;
    }
}
