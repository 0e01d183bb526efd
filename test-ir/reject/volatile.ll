; A volatile access.
;
;     void f(long n, volatile double *x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 y[j] += x[i];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the loop contains a volatile or atomic access
define void @f(i64 %n, ptr %x, ptr noalias %y) {
entry:
  %cmp16 = icmp sgt i64 %n, 0
  br i1 %cmp16, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.017 = phi i64 [ %inc7, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.017
  br label %body4

body4:
  %j.015 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %v0 = load volatile double, ptr %p, align 8
  %p5 = getelementptr inbounds nuw double, ptr %y, i64 %j.015
  %v1 = load double, ptr %p5, align 8
  %add = fadd double %v0, %v1
  store double %add, ptr %p5, align 8
  %inc = add nuw nsw i64 %j.015, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc7 = add nuw nsw i64 %i.017, 1
  %done18.not = icmp eq i64 %inc7, %n
  br i1 %done18.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
