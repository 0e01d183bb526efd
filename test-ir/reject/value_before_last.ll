; The value before the last update is no result of the loop: the cell holds another one by then. Twin of scop/reduction_then_use.
;
;     void f(long n, long m, double A[restrict n][m], double *restrict s) {
;         for (long j = 0; j < m; j++) {
;             double t = 0.0, before = 0.0;
;             for (long i = 0; i < n; i++) {
;                 before = t;
;                 t += A[i][j];
;             }
;             s[j] = before;
;         }
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: a value is carried from iteration to iteration in a register: it is not in memory, and no array cell could be found to hold it
define void @f(i64 %n, i64 %m, ptr noalias %A, ptr noalias %s) {
entry:
  %cmp21 = icmp sgt i64 %m, 0
  br i1 %cmp21, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %cmp218 = icmp sgt i64 %n, 0
  br i1 %cmp218, label %for.cond1.preheader.us.preheader, label %for.cond1.preheader.preheader

for.cond1.preheader.us.preheader:
  br label %for.cond1.preheader.us

for.cond1.preheader.preheader:
  %v0 = shl nuw i64 %m, 3
  call void @llvm.memset.p0.i64(ptr align 8 %s, i8 0, i64 %v0, i1 false)
  br label %for.cond.cleanup

for.cond1.preheader.us:
  %j.022.us = phi i64 [ %inc8.us, %for.cond1.for.cond.cleanup3_crit_edge.us ], [ 0, %for.cond1.preheader.us.preheader ]
  %invariant.gep.us = getelementptr double, ptr %A, i64 %j.022.us
  br label %for.body4.us

for.body4.us:
  %i.020.us = phi i64 [ 0, %for.cond1.preheader.us ], [ %inc.us, %for.body4.us ]
  %t.019.us = phi double [ 0.000000e+00, %for.cond1.preheader.us ], [ %add.us, %for.body4.us ]
  %v1 = mul nuw nsw i64 %i.020.us, %m
  %gep.us = getelementptr double, ptr %invariant.gep.us, i64 %v1
  %v2 = load double, ptr %gep.us, align 8
  %add.us = fadd double %t.019.us, %v2
  %inc.us = add nuw nsw i64 %i.020.us, 1
  %exitcond.not = icmp eq i64 %inc.us, %n
  br i1 %exitcond.not, label %for.cond1.for.cond.cleanup3_crit_edge.us, label %for.body4.us

for.cond1.for.cond.cleanup3_crit_edge.us:
  %t.019.us.lcssa = phi double [ %t.019.us, %for.body4.us ]
  %arrayidx6.us = getelementptr inbounds nuw double, ptr %s, i64 %j.022.us
  store double %t.019.us.lcssa, ptr %arrayidx6.us, align 8
  %inc8.us = add nuw nsw i64 %j.022.us, 1
  %exitcond24.not = icmp eq i64 %inc8.us, %m
  br i1 %exitcond24.not, label %for.cond.cleanup.loopexit, label %for.cond1.preheader.us

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)
