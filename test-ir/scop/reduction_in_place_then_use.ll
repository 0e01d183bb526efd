; The sum is stored in every iteration and used once more behind the loop: it is what its cell holds. The quotient goes to two cells; the second is read
; back from the first.
;
;     void f(long n, long m, double X[n][m], double S[m][m]) {
;         for (long i = 0; i < m; i++)
;             for (long j = i; j < m; j++) {
;                 S[i][j] = 0.0;
;                 for (long k = 0; k < n; k++)
;                     S[i][j] += X[k][i] * X[k][j];
;                 S[i][j] /= 3.0;
;                 S[j][i] = S[i][j];
;             }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [m, n]
; CHECK-NEXT: context [m, n] -> { [] }
; CHECK-NEXT: check S and X do not overlap
; CHECK-NEXT: array S[][stride 8*m] of double
; CHECK-NEXT: array X[][stride 8*m] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [m, n] -> { [i0, i1] : n >= 1 and i0 >= 0 and i1 >= 0 and i0 + i1 <= m - 1 }
; CHECK-NEXT:   write S[i0][i0 + i1]
; CHECK-NEXT:   S[i0][i0 + i1] = const
; CHECK-NEXT: S1 at [0, 0, 1, 0]
; CHECK-NEXT:   domain [m, n] -> { [i0, i1, i2] : i0 >= 0 and i1 >= 0 and i0 + i1 <= m - 1 and i2 >= 0 and i2 <= n - 1 }
; CHECK-NEXT:   write S[i0][i0 + i1]
; CHECK-NEXT:   read X[i2][i0]
; CHECK-NEXT:   read X[i2][i0 + i1]
; CHECK-NEXT:   read S[i0][i0 + i1]
; CHECK-NEXT:   S[i0][i0 + i1] = fmuladd(X[i2][i0], X[i2][i0 + i1], S[i0][i0 + i1])
; CHECK-NEXT: S2 at [0, 0, 2]
; CHECK-NEXT:   domain [m, n] -> { [i0, i1] : n >= 1 and i0 >= 0 and i1 >= 0 and i0 + i1 <= m - 1 }
; CHECK-NEXT:   write S[i0][i0 + i1]
; CHECK-NEXT:   read S[i0][i0 + i1]
; CHECK-NEXT:   S[i0][i0 + i1] = (S[i0][i0 + i1] / const)
; CHECK-NEXT: S3 at [0, 0, 3]
; CHECK-NEXT:   domain [m, n] -> { [i0, i1] : n >= 1 and i0 >= 0 and i1 >= 0 and i0 + i1 <= m - 1 }
; CHECK-NEXT:   write S[i0 + i1][i0]
; CHECK-NEXT:   read S[i0][i0 + i1]
; CHECK-NEXT:   S[i0 + i1][i0] = S[i0][i0 + i1]
; CHECK-NEXT: S4 at [1, 0, 0]
; CHECK-NEXT:   domain [m, n] -> { [i0, i1] : n <= 0 and i0 >= 0 and i1 >= 0 and i0 + i1 <= m - 1 }
; CHECK-NEXT:   write S[i0][i0 + i1]
; CHECK-NEXT:   S[i0][i0 + i1] = const
; CHECK-NEXT: S5 at [1, 0, 1]
; CHECK-NEXT:   domain [m, n] -> { [i0, i1] : n <= 0 and i0 >= 0 and i1 >= 0 and i0 + i1 <= m - 1 }
; CHECK-NEXT:   write S[i0 + i1][i0]
; CHECK-NEXT:   S[i0 + i1][i0] = const

define void @f(i64 %n, i64 %m, ptr %X, ptr %S) {
entry:
  %cmp59 = icmp sgt i64 %m, 0
  br i1 %cmp59, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %cmp756 = icmp sgt i64 %n, 0
  br i1 %cmp756, label %for.cond1.preheader.us.preheader, label %for.cond1.preheader.preheader

for.cond1.preheader.preheader:
  br label %for.cond1.preheader

for.cond1.preheader.us.preheader:
  br label %for.cond1.preheader.us

for.cond1.preheader.us:
  %i.060.us = phi i64 [ %inc26.us, %for.cond.cleanup3.split.us.us ], [ 0, %for.cond1.preheader.us.preheader ]
  %invariant.gep.us = getelementptr double, ptr %S, i64 %i.060.us
  %v0 = mul nuw nsw i64 %i.060.us, %m
  %arrayidx.us = getelementptr inbounds nuw double, ptr %S, i64 %v0
  br label %for.body4.us.us

for.body4.us.us:
  %j.058.us.us = phi i64 [ %i.060.us, %for.cond1.preheader.us ], [ %inc23.us.us, %for.cond6.for.cond.cleanup8_crit_edge.us.us ]
  %arrayidx5.us.us = getelementptr inbounds nuw double, ptr %arrayidx.us, i64 %j.058.us.us
  store double 0.000000e+00, ptr %arrayidx5.us.us, align 8
  br label %for.body9.us.us

for.body9.us.us:
  %v1 = phi double [ 0.000000e+00, %for.body4.us.us ], [ %v5, %for.body9.us.us ]
  %k.057.us.us = phi i64 [ 0, %for.body4.us.us ], [ %inc.us.us, %for.body9.us.us ]
  %v2 = mul nuw nsw i64 %k.057.us.us, %m
  %arrayidx10.us.us = getelementptr inbounds nuw double, ptr %X, i64 %v2
  %arrayidx11.us.us = getelementptr inbounds nuw double, ptr %arrayidx10.us.us, i64 %i.060.us
  %v3 = load double, ptr %arrayidx11.us.us, align 8
  %arrayidx13.us.us = getelementptr inbounds nuw double, ptr %arrayidx10.us.us, i64 %j.058.us.us
  %v4 = load double, ptr %arrayidx13.us.us, align 8
  %v5 = call double @llvm.fmuladd.f64(double %v3, double %v4, double %v1)
  store double %v5, ptr %arrayidx5.us.us, align 8
  %inc.us.us = add nuw nsw i64 %k.057.us.us, 1
  %exitcond63.not = icmp eq i64 %inc.us.us, %n
  br i1 %exitcond63.not, label %for.cond6.for.cond.cleanup8_crit_edge.us.us, label %for.body9.us.us

for.cond6.for.cond.cleanup8_crit_edge.us.us:
  %.lcssa = phi double [ %v5, %for.body9.us.us ]
  %div.us.us = fdiv double %.lcssa, 3.000000e+00
  store double %div.us.us, ptr %arrayidx5.us.us, align 8
  %v6 = mul nuw nsw i64 %j.058.us.us, %m
  %gep.us.us = getelementptr double, ptr %invariant.gep.us, i64 %v6
  store double %div.us.us, ptr %gep.us.us, align 8
  %inc23.us.us = add nuw nsw i64 %j.058.us.us, 1
  %exitcond64.not = icmp eq i64 %inc23.us.us, %m
  br i1 %exitcond64.not, label %for.cond.cleanup3.split.us.us, label %for.body4.us.us

for.cond.cleanup3.split.us.us:
  %inc26.us = add nuw nsw i64 %i.060.us, 1
  %exitcond65.not = icmp eq i64 %inc26.us, %m
  br i1 %exitcond65.not, label %for.cond.cleanup.loopexit, label %for.cond1.preheader.us

for.cond1.preheader:
  %i.060 = phi i64 [ %inc26, %for.cond.cleanup3.split ], [ 0, %for.cond1.preheader.preheader ]
  %invariant.gep = getelementptr double, ptr %S, i64 %i.060
  %v7 = mul nuw nsw i64 %i.060, %m
  %arrayidx = getelementptr inbounds nuw double, ptr %S, i64 %v7
  br label %for.body4

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup.loopexit67:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.cond.cleanup3.split:
  %inc26 = add nuw nsw i64 %i.060, 1
  %exitcond62.not = icmp eq i64 %inc26, %m
  br i1 %exitcond62.not, label %for.cond.cleanup.loopexit67, label %for.cond1.preheader

for.body4:
  %j.058 = phi i64 [ %i.060, %for.cond1.preheader ], [ %inc23, %for.body4 ]
  %arrayidx5 = getelementptr inbounds nuw double, ptr %arrayidx, i64 %j.058
  store double 0.000000e+00, ptr %arrayidx5, align 8
  %v8 = mul nuw nsw i64 %j.058, %m
  %gep = getelementptr double, ptr %invariant.gep, i64 %v8
  store double 0.000000e+00, ptr %gep, align 8
  %inc23 = add nuw nsw i64 %j.058, 1
  %exitcond.not = icmp eq i64 %inc23, %m
  br i1 %exitcond.not, label %for.cond.cleanup3.split, label %for.body4
}

declare double @llvm.fmuladd.f64(double, double, double)
