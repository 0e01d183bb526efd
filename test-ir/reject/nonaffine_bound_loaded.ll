; The inner bound is loaded from memory: the outer loop is refused. The inner one alone is not.
;
;     void f(long n, long *restrict c, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < c[i]; j++)
;                 x[j] += y[i];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %FileCheck --check-prefix=INNER %s < %t.ll

; CHECK: cannot transform the loops: the loop bound is not an affine function of outer loops and sizes
; CHECK-NOT: cannot
; INNER: lw.loop:
; INNER: loopwright.done
define void @f(i64 %n, ptr noalias %c, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp17 = icmp sgt i64 %n, 0
  br i1 %cmp17, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.018 = phi i64 [ %inc8, %end3 ], [ 0, %loop1.pre.pre ]
  %p = getelementptr inbounds nuw i64, ptr %c, i64 %i.018
  %v0 = load i64, ptr %p, align 8
  %cmp215 = icmp sgt i64 %v0, 0
  br i1 %cmp215, label %body4.lr.ph, label %end3

body4.lr.ph:
  %p5 = getelementptr inbounds nuw double, ptr %y, i64 %i.018
  %v1 = load double, ptr %p5, align 8
  br label %body4

end.1:
  br label %end

end:
  ret void

end3.1:
  br label %end3

end3:
  %inc8 = add nuw nsw i64 %i.018, 1
  %done19.not = icmp eq i64 %inc8, %n
  br i1 %done19.not, label %end.1, label %loop1.pre

body4:
  %j.016 = phi i64 [ 0, %body4.lr.ph ], [ %inc, %body4 ]
  %p6 = getelementptr inbounds nuw double, ptr %x, i64 %j.016
  %v2 = load double, ptr %p6, align 8
  %add = fadd double %v1, %v2
  store double %add, ptr %p6, align 8
  %inc = add nuw nsw i64 %j.016, 1
  %done.not = icmp eq i64 %inc, %v0
  br i1 %done.not, label %end3.1, label %body4
}
