; Two sums that are stored in every iteration, neither in a phi round the loop: the last value of one is used behind it, and read in its cell.
;
;     void f(long n, double a, double A[n][n], double *t, double *x, double *y) {
;         for (long i = 0; i < n; i++) {
;             t[i] = 0.0;
;             y[i] = 0.0;
;             for (long j = 0; j < n; j++) {
;                 t[i] = A[i][j] * x[j] + t[i];
;                 y[i] = A[j][i] * x[j] + y[i];
;             }
;             y[i] = t[i] + a * y[i];
;         }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: check t and y do not overlap
; CHECK-NEXT: check t and A do not overlap
; CHECK-NEXT: check t and x do not overlap
; CHECK-NEXT: check y and A do not overlap
; CHECK-NEXT: check y and x do not overlap
; CHECK-NEXT: array t[] of double
; CHECK-NEXT: array y[] of double
; CHECK-NEXT: array A[][stride 8*n] of double
; CHECK-NEXT: array x[] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write t[i0]
; CHECK-NEXT:   t[i0] = const
; CHECK-NEXT: S1 at [0, 1]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write y[i0]
; CHECK-NEXT:   y[i0] = const
; CHECK-NEXT: S2 at [0, 2, 0]
; CHECK-NEXT:   domain [n] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= n - 1 }
; CHECK-NEXT:   write t[i0]
; CHECK-NEXT:   read A[i0][i1]
; CHECK-NEXT:   read x[i1]
; CHECK-NEXT:   read t[i0]
; CHECK-NEXT:   t[i0] = fmuladd(A[i0][i1], x[i1], t[i0])
; CHECK-NEXT: S3 at [0, 2, 1]
; CHECK-NEXT:   domain [n] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= n - 1 }
; CHECK-NEXT:   write y[i0]
; CHECK-NEXT:   read A[i1][i0]
; CHECK-NEXT:   read x[i1]
; CHECK-NEXT:   read y[i0]
; CHECK-NEXT:   y[i0] = fmuladd(A[i1][i0], x[i1], y[i0])
; CHECK-NEXT: S4 at [0, 3]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write y[i0]
; CHECK-NEXT:   read y[i0]
; CHECK-NEXT:   read t[i0]
; CHECK-NEXT:   y[i0] = fmuladd(a, y[i0], t[i0])

define void @f(i64 %n, double %a, ptr %A, ptr %t, ptr %x, ptr %y) {
entry:
  %cmp53 = icmp sgt i64 %n, 0
  br i1 %cmp53, label %for.body.us.preheader, label %for.cond.cleanup

for.body.us.preheader:
  br label %for.body.us

for.body.us:
  %i.054.us = phi i64 [ %inc20.us, %for.cond2.for.cond.cleanup4_crit_edge.us ], [ 0, %for.body.us.preheader ]
  %arrayidx.us = getelementptr inbounds nuw double, ptr %t, i64 %i.054.us
  store double 0.000000e+00, ptr %arrayidx.us, align 8
  %arrayidx1.us = getelementptr inbounds nuw double, ptr %y, i64 %i.054.us
  store double 0.000000e+00, ptr %arrayidx1.us, align 8
  %invariant.gep.us = getelementptr double, ptr %A, i64 %i.054.us
  %v0 = mul nuw nsw i64 %i.054.us, %n
  %arrayidx6.us = getelementptr inbounds nuw double, ptr %A, i64 %v0
  br label %for.body5.us

for.body5.us:
  %j.052.us = phi i64 [ 0, %for.body.us ], [ %inc.us, %for.body5.us ]
  %arrayidx7.us = getelementptr inbounds nuw double, ptr %arrayidx6.us, i64 %j.052.us
  %v1 = load double, ptr %arrayidx7.us, align 8
  %arrayidx8.us = getelementptr inbounds nuw double, ptr %x, i64 %j.052.us
  %v2 = load double, ptr %arrayidx8.us, align 8
  %v3 = load double, ptr %arrayidx.us, align 8
  %v4 = call double @llvm.fmuladd.f64(double %v1, double %v2, double %v3)
  store double %v4, ptr %arrayidx.us, align 8
  %v5 = mul nuw nsw i64 %j.052.us, %n
  %gep.us = getelementptr double, ptr %invariant.gep.us, i64 %v5
  %v6 = load double, ptr %gep.us, align 8
  %v7 = load double, ptr %arrayidx8.us, align 8
  %v8 = load double, ptr %arrayidx1.us, align 8
  %v9 = call double @llvm.fmuladd.f64(double %v6, double %v7, double %v8)
  store double %v9, ptr %arrayidx1.us, align 8
  %inc.us = add nuw nsw i64 %j.052.us, 1
  %exitcond.not = icmp eq i64 %inc.us, %n
  br i1 %exitcond.not, label %for.cond2.for.cond.cleanup4_crit_edge.us, label %for.body5.us

for.cond2.for.cond.cleanup4_crit_edge.us:
  %.lcssa = phi double [ %v9, %for.body5.us ]
  %v10 = load double, ptr %arrayidx.us, align 8
  %v11 = call double @llvm.fmuladd.f64(double %a, double %.lcssa, double %v10)
  store double %v11, ptr %arrayidx1.us, align 8
  %inc20.us = add nuw nsw i64 %i.054.us, 1
  %exitcond55.not = icmp eq i64 %inc20.us, %n
  br i1 %exitcond55.not, label %for.cond.cleanup.loopexit, label %for.body.us

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
