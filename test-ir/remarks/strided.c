// What LLVM scatters, scalars do in half the time; what is stored in whole lines it takes together, so that there the source is as good. From where a loop is counted makes no difference: it runs downwards as well as upwards.
// RUN: %loopwright-clang -O3 -march=znver4 -w -c -Rpass=loopwright -Rpass-missed=loopwright %s -o %t.o 2>&1 | %FileCheck %s

// CHECK: strided.c:[[#@LINE+2]]:3: remark: accesses told apart; predicted
void every_third(int n, double *restrict x, const double *restrict y) {
  for (int i = 0; i < n; i += 3) x[i] = x[i] * 0.5 + y[i];
}

// CHECK: strided.c:[[#@LINE+2]]:3: remark: accesses told apart; predicted
void one_of_three(int n, double dt, double (*restrict v)[3], const double (*restrict a)[3]) {
  for (int i = 0; i < n; i++) v[i][2] -= dt * a[i][1];
}

// CHECK: strided.c:[[#@LINE+2]]:3: remark: left the loops as they are: the loops are already in the best form found
void exchange(int n, int m, double *restrict x, double *restrict y) {
  for (int i = m; i < n; i += 3) {
    double t = x[i];
    x[i] = y[i];
    y[i] = t;
    t = x[i + 1];
    x[i + 1] = y[i + 1];
    y[i + 1] = t;
    t = x[i + 2];
    x[i + 2] = y[i + 2];
    y[i + 2] = t;
  }
}

// Nor do lanes pay: the vectors of one iteration reach into the next.
// CHECK: strided.c:[[#@LINE+2]]:3: remark: left the loops as they are: the loops are already in the best form found
void exchange_floats(int n, int m, float *restrict x, float *restrict y) {
  for (int i = m; i < n; i += 3) {
    float t = x[i];
    x[i] = y[i];
    y[i] = t;
    t = x[i + 1];
    x[i + 1] = y[i + 1];
    y[i + 1] = t;
    t = x[i + 2];
    x[i + 2] = y[i + 2];
    y[i + 2] = t;
  }
}

// CHECK: strided.c:[[#@LINE+2]]:3: remark: left the loops as they are: the loops are already in the best form found
void copy_by_seven(int n, int m, const double *restrict x, double *restrict y) {
  for (int i = m; i < n; i += 7) {
    y[i] = x[i];
    y[i + 1] = x[i + 1];
    y[i + 2] = x[i + 2];
    y[i + 3] = x[i + 3];
    y[i + 4] = x[i + 4];
    y[i + 5] = x[i + 5];
    y[i + 6] = x[i + 6];
  }
}

// CHECK-NOT: strided.c:{{.*}}: reversed loops
// CHECK: strided.c:[[#@LINE+4]]:17: remark: left the loops as they are: the loops are already in the best form found
void downwards(int n, int ld, double *restrict x, const double *restrict a) {
  for (int j = n - 1; j >= 0; j--) {
    double t = x[j];
    if (t != 0) for (int i = n - 1; i > j; i--) x[i] += t * a[(long)j * ld + i];
  }
}
