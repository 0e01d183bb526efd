; An update in place that starts with what the cell holds, scaled behind its loop: three accesses to one cell.
;
;     void f(long n, long m, double A[n][n], double B[n][m]) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < m; j++) {
;                 for (long k = i + 1; k < n; k++)
;                     B[i][j] += A[k][i] * B[k][j];
;                 B[i][j] = 1.5 * B[i][j];
;             }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n, m]
; CHECK-NEXT: context [n, m] -> { [] }
; CHECK-NEXT: check B and A do not overlap
; CHECK-NEXT: array B[][stride 8*m] of double
; CHECK-NEXT: array A[][stride 8*n] of double
; CHECK-NEXT: S0 at [0, 0, 0, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0, i1, i2] : i0 >= 0 and i1 >= 0 and i1 <= m - 1 and i2 >= 0 and i0 + i2 <= n - 2 }
; CHECK-NEXT:   write B[i0][i1]
; CHECK-NEXT:   read A[i0 + i2 + 1][i0]
; CHECK-NEXT:   read B[i0 + i2 + 1][i1]
; CHECK-NEXT:   read B[i0][i1]
; CHECK-NEXT:   B[i0][i1] = fmuladd(A[i0 + i2 + 1][i0], B[i0 + i2 + 1][i1], B[i0][i1])
; CHECK-NEXT: S1 at [0, 0, 1]
; CHECK-NEXT:   domain [n, m] -> { [i0, i1] : i0 >= 0 and i0 <= n - 2 and i1 >= 0 and i1 <= m - 1 }
; CHECK-NEXT:   write B[i0][i1]
; CHECK-NEXT:   read B[i0][i1]
; CHECK-NEXT:   B[i0][i1] = (B[i0][i1] * const)
; CHECK-NEXT: S2 at [0, 1, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0, i1] : n = i0 + 1 and n >= 1 and i1 >= 0 and i1 <= m - 1 }
; CHECK-NEXT:   write B[i0][i1]
; CHECK-NEXT:   read B[i0][i1]
; CHECK-NEXT:   B[i0][i1] = (B[i0][i1] * const)

define void @f(i64 %n, i64 %m, ptr %A, ptr %B) {
entry:
  %cmp57 = icmp sgt i64 %n, 0
  %cmp253 = icmp sgt i64 %m, 0
  %or.cond = and i1 %cmp57, %cmp253
  br i1 %or.cond, label %for.cond1.preheader.us.preheader, label %for.cond.cleanup

for.cond1.preheader.us.preheader:
  br label %for.cond1.preheader.us

for.cond1.preheader.us:
  %i.058.us = phi i64 [ %k.050.us, %for.cond1.for.cond.cleanup3_crit_edge.us ], [ 0, %for.cond1.preheader.us.preheader ]
  %invariant.gep.us = getelementptr double, ptr %A, i64 %i.058.us
  %k.050.us = add nuw nsw i64 %i.058.us, 1
  %cmp651.us = icmp slt i64 %k.050.us, %n
  %v0 = mul nuw nsw i64 %i.058.us, %m
  %invariant.gep55.us = getelementptr double, ptr %B, i64 %v0
  br i1 %cmp651.us, label %for.cond5.preheader.us.us.preheader, label %for.cond5.preheader.us59.preheader

for.cond5.preheader.us59.preheader:
  br label %for.cond5.preheader.us59

for.cond5.preheader.us.us.preheader:
  br label %for.cond5.preheader.us.us

for.cond5.preheader.us59:
  %j.054.us60 = phi i64 [ %inc19.us63, %for.cond5.preheader.us59 ], [ 0, %for.cond5.preheader.us59.preheader ]
  %arrayidx15.us61 = getelementptr inbounds nuw double, ptr %invariant.gep55.us, i64 %j.054.us60
  %v1 = load double, ptr %arrayidx15.us61, align 8
  %mul.us62 = fmul double %v1, 1.500000e+00
  store double %mul.us62, ptr %arrayidx15.us61, align 8
  %inc19.us63 = add nuw nsw i64 %j.054.us60, 1
  %exitcond.not = icmp eq i64 %inc19.us63, %m
  br i1 %exitcond.not, label %for.cond1.for.cond.cleanup3_crit_edge.us.loopexit73, label %for.cond5.preheader.us59

for.cond1.for.cond.cleanup3_crit_edge.us.loopexit:
  br label %for.cond1.for.cond.cleanup3_crit_edge.us

for.cond1.for.cond.cleanup3_crit_edge.us.loopexit73:
  br label %for.cond1.for.cond.cleanup3_crit_edge.us

for.cond1.for.cond.cleanup3_crit_edge.us:
  %exitcond71.not = icmp eq i64 %k.050.us, %n
  br i1 %exitcond71.not, label %for.cond.cleanup.loopexit, label %for.cond1.preheader.us

for.cond5.preheader.us.us:
  %j.054.us.us = phi i64 [ %inc19.us.us, %for.cond5.for.cond.cleanup7_crit_edge.us.us ], [ 0, %for.cond5.preheader.us.us.preheader ]
  %invariant.gep46.us.us = getelementptr double, ptr %B, i64 %j.054.us.us
  %gep56.us.us = getelementptr double, ptr %invariant.gep55.us, i64 %j.054.us.us
  %gep49.promoted.us.us = load double, ptr %gep56.us.us, align 8
  br label %for.body8.us.us

for.body8.us.us:
  %v2 = phi double [ %gep49.promoted.us.us, %for.cond5.preheader.us.us ], [ %v7, %for.body8.us.us ]
  %k.052.us.us = phi i64 [ %k.050.us, %for.cond5.preheader.us.us ], [ %k.0.us.us, %for.body8.us.us ]
  %v3 = mul nuw nsw i64 %k.052.us.us, %n
  %gep.us.us = getelementptr double, ptr %invariant.gep.us, i64 %v3
  %v4 = load double, ptr %gep.us.us, align 8
  %v5 = mul nuw nsw i64 %k.052.us.us, %m
  %gep47.us.us = getelementptr double, ptr %invariant.gep46.us.us, i64 %v5
  %v6 = load double, ptr %gep47.us.us, align 8
  %v7 = call double @llvm.fmuladd.f64(double %v4, double %v6, double %v2)
  store double %v7, ptr %gep56.us.us, align 8
  %k.0.us.us = add nuw nsw i64 %k.052.us.us, 1
  %exitcond69.not = icmp eq i64 %k.0.us.us, %n
  br i1 %exitcond69.not, label %for.cond5.for.cond.cleanup7_crit_edge.us.us, label %for.body8.us.us

for.cond5.for.cond.cleanup7_crit_edge.us.us:
  %.lcssa = phi double [ %v7, %for.body8.us.us ]
  %mul.us.us = fmul double %.lcssa, 1.500000e+00
  store double %mul.us.us, ptr %gep56.us.us, align 8
  %inc19.us.us = add nuw nsw i64 %j.054.us.us, 1
  %exitcond70.not = icmp eq i64 %inc19.us.us, %m
  br i1 %exitcond70.not, label %for.cond1.for.cond.cleanup3_crit_edge.us.loopexit, label %for.cond5.preheader.us.us

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
