; What is stored is computed from the sum: the sum lives in the cell until the last store changes it.
;
;     double sqrt(double);
;     void norms(long n, long m, double A[restrict n][m], double *restrict s) {
;         for (long i = 0; i < n; i++) {
;             double t = 0.0;
;             for (long j = 0; j < m; j++)
;                 t += A[i][j] * A[i][j];
;             s[i] = sqrt(t);
;         }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function norms
; CHECK-NEXT: params [n, m]
; CHECK-NEXT: context [n, m] -> { [] }
; CHECK-NEXT: array s[] of double
; CHECK-NEXT: array A[][stride 8*m] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0] : m >= 1 and i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   s[i0] = const
; CHECK-NEXT: S1 at [0, 1, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= m - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   read A[i0][i1]
; CHECK-NEXT:   read s[i0]
; CHECK-NEXT:   s[i0] = fmuladd(A[i0][i1], A[i0][i1], s[i0])
; CHECK-NEXT: S2 at [0, 2]
; CHECK-NEXT:   domain [n, m] -> { [i0] : m >= 1 and i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   read s[i0]
; CHECK-NEXT:   s[i0] = sqrt(s[i0])
; CHECK-NEXT: S3 at [1, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0] : m <= 0 and i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   s[i0] = 0

define void @norms(i64 %n, i64 %m, ptr noalias %A, ptr noalias %s) {
entry:
  %cmp26 = icmp sgt i64 %n, 0
  br i1 %cmp26, label %loop1.pre.lr.ph, label %end

loop1.pre.lr.ph:
  %cmp223 = icmp sgt i64 %m, 0
  br i1 %cmp223, label %loop1.pre.pre, label %loop1.pre.pre.1

loop1.pre.pre:
  br label %loop1.pre

loop1.pre.pre.1:
  %v0 = shl nuw i64 %n, 3
  call void @llvm.memset.p0.i64(ptr align 8 %s, i8 0, i64 %v0, i1 false)
  br label %end

loop1.pre:
  %i.027 = phi i64 [ %inc10, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %v1 = mul nuw nsw i64 %i.027, %m
  %p = getelementptr inbounds nuw double, ptr %A, i64 %v1
  br label %body4

body4:
  %j.025 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %t.024 = phi double [ 0.000000e+00, %loop1.pre ], [ %v3, %body4 ]
  %p5 = getelementptr inbounds nuw double, ptr %p, i64 %j.025
  %v2 = load double, ptr %p5, align 8
  %v3 = call double @llvm.fmuladd.f64(double %v2, double %v2, double %t.024)
  %inc = add nuw nsw i64 %j.025, 1
  %done.not = icmp eq i64 %inc, %m
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %v = phi double [ %v3, %body4 ]
  %v4 = call double @llvm.sqrt.f64(double %v)
  %p8 = getelementptr inbounds nuw double, ptr %s, i64 %i.027
  store double %v4, ptr %p8, align 8
  %inc10 = add nuw nsw i64 %i.027, 1
  %done29.not = icmp eq i64 %inc10, %n
  br i1 %done29.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)
declare double @llvm.fmuladd.f64(double, double, double)
declare double @llvm.sqrt.f64(double)
