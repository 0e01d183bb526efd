; What is stored comes from a call that may set errno: the sum lives in its cell all the same.
;
;     double sqrt(double);
;     void f(long n, long m, double A[restrict n][m], double *restrict s) {
;         for (long j = 0; j < m; j++) {
;             double t = 0.0;
;             for (long i = 0; i < n; i++)
;                 t += A[i][j] * A[i][j];
;             s[j] = sqrt(t);
;         }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [m, n]
; CHECK-NEXT: context [m, n] -> { [] }
; CHECK-NEXT: array s[] of double
; CHECK-NEXT: array A[][stride 8*m] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [m, n] -> { [i0] : n >= 1 and i0 >= 0 and i0 <= m - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   s[i0] = const
; CHECK-NEXT: S1 at [0, 1, 0]
; CHECK-NEXT:   domain [m, n] -> { [i0, i1] : i0 >= 0 and i0 <= m - 1 and i1 >= 0 and i1 <= n - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   read A[i1][i0]
; CHECK-NEXT:   read s[i0]
; CHECK-NEXT:   s[i0] = fmuladd(A[i1][i0], A[i1][i0], s[i0])
; CHECK-NEXT: S2 at [0, 2]
; CHECK-NEXT:   domain [m, n] -> { [i0] : n >= 1 and i0 >= 0 and i0 <= m - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   read s[i0]
; CHECK-NEXT:   s[i0] = sqrt(s[i0])
; CHECK-NEXT: S3 at [1, 0]
; CHECK-NEXT:   domain [m, n] -> { [i0] : n <= 0 and i0 >= 0 and i0 <= m - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   s[i0] = 0

define void @f(i64 %n, i64 %m, ptr noalias %A, ptr noalias %s) {
entry:
  %cmp26 = icmp sgt i64 %m, 0
  br i1 %cmp26, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %cmp223 = icmp sgt i64 %n, 0
  br i1 %cmp223, label %for.cond1.preheader.us.preheader, label %for.cond1.preheader.preheader

for.cond1.preheader.us.preheader:
  br label %for.cond1.preheader.us

for.cond1.preheader.preheader:
  %v0 = shl nuw i64 %m, 3
  call void @llvm.memset.p0.i64(ptr align 8 %s, i8 0, i64 %v0, i1 false)
  br label %for.cond.cleanup

for.cond1.preheader.us:
  %j.027.us = phi i64 [ %inc10.us, %for.cond1.for.cond.cleanup3_crit_edge.us ], [ 0, %for.cond1.preheader.us.preheader ]
  %invariant.gep.us = getelementptr double, ptr %A, i64 %j.027.us
  br label %for.body4.us

for.body4.us:
  %i.025.us = phi i64 [ 0, %for.cond1.preheader.us ], [ %inc.us, %for.body4.us ]
  %t.024.us = phi double [ 0.000000e+00, %for.cond1.preheader.us ], [ %v3, %for.body4.us ]
  %v1 = mul nuw nsw i64 %i.025.us, %m
  %gep.us = getelementptr double, ptr %invariant.gep.us, i64 %v1
  %v2 = load double, ptr %gep.us, align 8
  %v3 = call double @llvm.fmuladd.f64(double %v2, double %v2, double %t.024.us)
  %inc.us = add nuw nsw i64 %i.025.us, 1
  %exitcond.not = icmp eq i64 %inc.us, %n
  br i1 %exitcond.not, label %for.cond1.for.cond.cleanup3_crit_edge.us, label %for.body4.us

for.cond1.for.cond.cleanup3_crit_edge.us:
  %.lcssa = phi double [ %v3, %for.body4.us ]
  %call.us = call double @sqrt(double %.lcssa)
  %arrayidx8.us = getelementptr inbounds nuw double, ptr %s, i64 %j.027.us
  store double %call.us, ptr %arrayidx8.us, align 8
  %inc10.us = add nuw nsw i64 %j.027.us, 1
  %exitcond29.not = icmp eq i64 %inc10.us, %m
  br i1 %exitcond29.not, label %for.cond.cleanup.loopexit, label %for.cond1.preheader.us

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)
declare double @sqrt(double) memory(errnomem: write) nounwind willreturn
