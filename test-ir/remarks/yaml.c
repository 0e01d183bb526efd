// The optimization record has the kinds as names, with function and line.
//
// RUN: %loopwright-clang -O3 -mllvm -loopwright-policy=force -fsave-optimization-record -foptimization-record-file=%t.yaml -foptimization-record-passes=loopwright -c %s -o %t.o
// RUN: %FileCheck %s < %t.yaml

// CHECK: --- !Passed
// CHECK-NEXT: Pass: loopwright
// CHECK-NEXT: Name: Transformed
// CHECK-NEXT: DebugLoc: { File: '{{.*}}yaml.c', Line: [[@LINE+10]], Column: {{[0-9]+}} }
// CHECK-NEXT: Function: row_sums
// CHECK-NEXT: Args:
// CHECK: interchanged loops
// CHECK: --- !Missed
// CHECK-NEXT: Pass: loopwright
// CHECK-NEXT: Name: NonAffineAccess
// CHECK-NEXT: DebugLoc: { File: '{{.*}}yaml.c', Line: [[@LINE+7]], Column: {{[0-9]+}} }
// CHECK-NEXT: Function: scatter
void row_sums(long n, double A[restrict n][n], double s[restrict n]) {
    for (long j = 0; j < n; j++)
        for (long i = 0; i < n; i++) s[i] += A[i][j];
}
void scatter(long n, long *restrict index, double *restrict x) {
    for (long i = 0; i < n; i++) x[index[i]] = 1.0;
}
