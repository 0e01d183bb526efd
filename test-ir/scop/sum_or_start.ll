; Behind the loop the value is, by a condition, the sum or what the sum started with: a statement for each.
;
;     void f(long n, long m, double A[restrict n][m], double *restrict s, double *restrict x) {
;         for (long j = 0; j < m; j++) {
;             double t = 0.0, r = 0.0;
;             for (long i = 0; i < n; i++)
;                 t += A[i][j];
;             if (j > 5) {
;                 x[j] = 3.0;
;                 r = t;
;             }
;             s[j] = r;
;         }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [m, n]
; CHECK-NEXT: context [m, n] -> { [] }
; CHECK-NEXT: array s[] of double
; CHECK-NEXT: array A[][stride 8*m] of double
; CHECK-NEXT: array x[] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [m, n] -> { [i0] : n >= 1 and i0 >= 0 and i0 <= m - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   s[i0] = const
; CHECK-NEXT: S1 at [0, 1, 0]
; CHECK-NEXT:   domain [m, n] -> { [i0, i1] : i0 >= 0 and i0 <= m - 1 and i1 >= 0 and i1 <= n - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   read s[i0]
; CHECK-NEXT:   read A[i1][i0]
; CHECK-NEXT:   s[i0] = (s[i0] + A[i1][i0])
; CHECK-NEXT: S2 at [0, 2]
; CHECK-NEXT:   domain [m, n] -> { [i0] : n >= 1 and i0 >= 6 and i0 <= m - 1 }
; CHECK-NEXT:   write x[i0]
; CHECK-NEXT:   x[i0] = const
; CHECK-NEXT: S3 at [0, 3]
; CHECK-NEXT:   domain [m, n] -> { [i0] : n >= 1 and i0 >= 6 and i0 <= m - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   read s[i0]
; CHECK-NEXT:   s[i0] = s[i0]
; CHECK-NEXT: S4 at [0, 4]
; CHECK-NEXT:   domain [m, n] -> { [i0] : n >= 1 and i0 >= 0 and i0 <= m - 1 and i0 <= 5 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   s[i0] = const
; CHECK-NEXT: S5 at [1, 0]
; CHECK-NEXT:   domain [m, n] -> { [i0] : n <= 0 and i0 >= 0 and i0 <= m - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   s[i0] = 0
; CHECK-NEXT: S6 at [2, 0]
; CHECK-NEXT:   domain [m, n] -> { [i0] : n <= 0 and i0 >= 6 and i0 <= m - 1 }
; CHECK-NEXT:   write x[i0]
; CHECK-NEXT:   x[i0] = const

define void @f(i64 %n, i64 %m, ptr noalias %A, ptr noalias %s, ptr noalias %x) {
entry:
  %cmp25 = icmp sgt i64 %m, 0
  br i1 %cmp25, label %for.cond1.preheader.lr.ph, label %for.cond.cleanup

for.cond1.preheader.lr.ph:
  %cmp222 = icmp sgt i64 %n, 0
  br i1 %cmp222, label %for.cond1.preheader.us.preheader, label %for.cond1.preheader.preheader

for.cond1.preheader.us.preheader:
  br label %for.cond1.preheader.us

for.cond1.preheader.preheader:
  %v0 = shl nuw i64 %m, 3
  call void @llvm.memset.p0.i64(ptr align 8 %s, i8 0, i64 %v0, i1 false)
  br label %for.cond1.preheader

for.cond1.preheader.us:
  %j.026.us = phi i64 [ %inc10.us, %if.end.us ], [ 0, %for.cond1.preheader.us.preheader ]
  %invariant.gep.us = getelementptr double, ptr %A, i64 %j.026.us
  br label %for.body4.us

if.then.us:
  %arrayidx7.us = getelementptr inbounds nuw double, ptr %x, i64 %j.026.us
  store double 3.000000e+00, ptr %arrayidx7.us, align 8
  br label %if.end.us

if.end.us:
  %r.0.us = phi double [ %add.us.lcssa, %if.then.us ], [ 0.000000e+00, %for.cond1.for.cond.cleanup3_crit_edge.us ]
  %arrayidx8.us = getelementptr inbounds nuw double, ptr %s, i64 %j.026.us
  store double %r.0.us, ptr %arrayidx8.us, align 8
  %inc10.us = add nuw nsw i64 %j.026.us, 1
  %exitcond29.not = icmp eq i64 %inc10.us, %m
  br i1 %exitcond29.not, label %for.cond.cleanup.loopexit, label %for.cond1.preheader.us

for.body4.us:
  %i.024.us = phi i64 [ 0, %for.cond1.preheader.us ], [ %inc.us, %for.body4.us ]
  %t.023.us = phi double [ 0.000000e+00, %for.cond1.preheader.us ], [ %add.us, %for.body4.us ]
  %v1 = mul nuw nsw i64 %i.024.us, %m
  %gep.us = getelementptr double, ptr %invariant.gep.us, i64 %v1
  %v2 = load double, ptr %gep.us, align 8
  %add.us = fadd double %t.023.us, %v2
  %inc.us = add nuw nsw i64 %i.024.us, 1
  %exitcond28.not = icmp eq i64 %inc.us, %n
  br i1 %exitcond28.not, label %for.cond1.for.cond.cleanup3_crit_edge.us, label %for.body4.us

for.cond1.for.cond.cleanup3_crit_edge.us:
  %add.us.lcssa = phi double [ %add.us, %for.body4.us ]
  %cmp6.us = icmp samesign ugt i64 %j.026.us, 5
  br i1 %cmp6.us, label %if.then.us, label %if.end.us

for.cond1.preheader:
  %j.026 = phi i64 [ %inc10, %if.end ], [ 0, %for.cond1.preheader.preheader ]
  %cmp6 = icmp samesign ugt i64 %j.026, 5
  br i1 %cmp6, label %if.then, label %if.end

for.cond.cleanup.loopexit:
  br label %for.cond.cleanup

for.cond.cleanup.loopexit31:
  br label %for.cond.cleanup

for.cond.cleanup:
  ret void

if.then:
  %arrayidx7 = getelementptr inbounds nuw double, ptr %x, i64 %j.026
  store double 3.000000e+00, ptr %arrayidx7, align 8
  br label %if.end

if.end:
  %inc10 = add nuw nsw i64 %j.026, 1
  %exitcond.not = icmp eq i64 %inc10, %m
  br i1 %exitcond.not, label %for.cond.cleanup.loopexit31, label %for.cond1.preheader
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)
