; The sum in memory is overwritten before its last value is used. Twin of scop/reduction_in_place_then_use.
;
;     void f(long n, long m, double A[n][m], double *s, double *x) {
;         for (long j = 0; j + 1 < m; j++) {
;             s[j] = 0.0;
;             for (long i = 0; i < n; i++)
;                 s[j] += A[i][j];
;             double t = s[j];
;             for (long l = 0; l <= j; l++)
;                 s[l] = x[l];
;             s[j + 1] = t;
;         }
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -disable-output %s 2>&1 | %FileCheck %s

; CHECK: cannot transform the loops: a value is carried from iteration to iteration in a register: its last value is used behind the loop
define void @f(i64 %n, i64 %m, ptr %A, ptr %s, ptr %x) {
entry:
  %cmp45 = icmp sgt i64 %m, 1
  br i1 %cmp45, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %cmp242 = icmp sgt i64 %n, 0
  br i1 %cmp242, label %for.body.us.preheader, label %for.body.preheader

for.body.preheader:
  br label %for.body

for.body.us.preheader:
  br label %for.body.us

for.body.us:
  %add47.us = phi i64 [ %add.us, %for.cond.cleanup12.us ], [ 1, %for.body.us.preheader ]
  %j.046.us = phi i64 [ %add47.us, %for.cond.cleanup12.us ], [ 0, %for.body.us.preheader ]
  %arrayidx.us = getelementptr inbounds nuw double, ptr %s, i64 %j.046.us
  store double 0.000000e+00, ptr %arrayidx.us, align 8
  %invariant.gep.us = getelementptr double, ptr %A, i64 %j.046.us
  br label %for.body4.us

for.body13.us:
  %l.044.us = phi i64 [ 0, %for.cond1.for.cond.cleanup3_crit_edge.us ], [ %inc17.us, %for.body13.us ]
  %arrayidx14.us = getelementptr inbounds nuw double, ptr %x, i64 %l.044.us
  %v0 = load double, ptr %arrayidx14.us, align 8
  %arrayidx15.us = getelementptr inbounds nuw double, ptr %s, i64 %l.044.us
  store double %v0, ptr %arrayidx15.us, align 8
  %inc17.us = add nuw nsw i64 %l.044.us, 1
  %exitcond51.not = icmp eq i64 %inc17.us, %add47.us
  br i1 %exitcond51.not, label %for.cond.cleanup12.us, label %for.body13.us

for.cond.cleanup12.us:
  %arrayidx20.us = getelementptr inbounds nuw double, ptr %s, i64 %add47.us
  store double %add8.us.lcssa, ptr %arrayidx20.us, align 8
  %add.us = add nuw nsw i64 %add47.us, 1
  %exitcond52.not = icmp eq i64 %add.us, %m
  br i1 %exitcond52.not, label %for.cond.cleanup.loopexit, label %for.body.us

for.body4.us:
  %v1 = phi double [ 0.000000e+00, %for.body.us ], [ %add8.us, %for.body4.us ]
  %i.043.us = phi i64 [ 0, %for.body.us ], [ %inc.us, %for.body4.us ]
  %v2 = mul nuw nsw i64 %i.043.us, %m
  %gep.us = getelementptr double, ptr %invariant.gep.us, i64 %v2
  %v3 = load double, ptr %gep.us, align 8
  %add8.us = fadd double %v3, %v1
  store double %add8.us, ptr %arrayidx.us, align 8
  %inc.us = add nuw nsw i64 %i.043.us, 1
  %exitcond50.not = icmp eq i64 %inc.us, %n
  br i1 %exitcond50.not, label %for.cond1.for.cond.cleanup3_crit_edge.us, label %for.body4.us

for.cond1.for.cond.cleanup3_crit_edge.us:
  %add8.us.lcssa = phi double [ %add8.us, %for.body4.us ]
  br label %for.body13.us

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup.loopexit54:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.body:
  %add47 = phi i64 [ %add, %for.cond.cleanup12 ], [ 1, %for.body.preheader ]
  %j.046 = phi i64 [ %add47, %for.cond.cleanup12 ], [ 0, %for.body.preheader ]
  %arrayidx = getelementptr inbounds nuw double, ptr %s, i64 %j.046
  store double 0.000000e+00, ptr %arrayidx, align 8
  br label %for.body13

for.cond.cleanup12:
  %arrayidx20 = getelementptr inbounds nuw double, ptr %s, i64 %add47
  store double 0.000000e+00, ptr %arrayidx20, align 8
  %add = add nuw nsw i64 %add47, 1
  %exitcond49.not = icmp eq i64 %add, %m
  br i1 %exitcond49.not, label %for.cond.cleanup.loopexit54, label %for.body

for.body13:
  %l.044 = phi i64 [ 0, %for.body ], [ %inc17, %for.body13 ]
  %arrayidx14 = getelementptr inbounds nuw double, ptr %x, i64 %l.044
  %v4 = load double, ptr %arrayidx14, align 8
  %arrayidx15 = getelementptr inbounds nuw double, ptr %s, i64 %l.044
  store double %v4, ptr %arrayidx15, align 8
  %inc17 = add nuw nsw i64 %l.044, 1
  %exitcond.not = icmp eq i64 %inc17, %add47
  br i1 %exitcond.not, label %for.cond.cleanup12, label %for.body13
}
