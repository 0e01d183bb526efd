; With restrict only the sizes are looked at, no addresses. Negative twin of checks_with_original.
;
;     void f(long n, double *restrict a, double *restrict x) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 a[i] += x[j];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %s | %FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NOT: freeze ptr
; CHECK: freeze i64 %n
; CHECK-NOT: freeze ptr
; CHECK: lw.loop:
; CHECK-NOT: freeze ptr
define void @f(i64 %n, ptr noalias %a, ptr noalias %x) {
entry:
  %cmp17 = icmp sgt i64 %n, 0
  br i1 %cmp17, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.018 = phi i64 [ %inc7, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %p5 = getelementptr inbounds nuw double, ptr %a, i64 %i.018
  %p5.start = load double, ptr %p5, align 8
  br label %body4

body4:
  %add16 = phi double [ %p5.start, %loop1.pre ], [ %add, %body4 ]
  %j.015 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %j.015
  %v0 = load double, ptr %p, align 8
  %add = fadd double %v0, %add16
  %inc = add nuw nsw i64 %j.015, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %add.1 = phi double [ %add, %body4 ]
  store double %add.1, ptr %p5, align 8
  %inc7 = add nuw nsw i64 %i.018, 1
  %done19.not = icmp eq i64 %inc7, %n
  br i1 %done19.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
