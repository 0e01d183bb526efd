; Step 2: the iterator counts by one, the subscript by two.
;
;     void even(long n, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i += 2)
;             for (long j = 0; j < n; j++)
;                 x[i] += y[j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function even
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: array x[][2] of double
; CHECK-NEXT: array y[] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n] -> { [i0, i1] : i0 >= 0 and 2i0 <= n - 1 and i1 >= 0 and i1 <= n - 1 }
; CHECK-NEXT:   write x[i0][0]
; CHECK-NEXT:   read y[i1]
; CHECK-NEXT:   read x[i0][0]
; CHECK-NEXT:   x[i0][0] = (y[i1] + x[i0][0])

define void @even(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp17 = icmp sgt i64 %n, 0
  br i1 %cmp17, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.018 = phi i64 [ %add7, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %p5 = getelementptr inbounds nuw double, ptr %x, i64 %i.018
  %p5.start = load double, ptr %p5, align 8
  br label %body4

body4:
  %add16 = phi double [ %p5.start, %loop1.pre ], [ %add, %body4 ]
  %j.015 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %p = getelementptr inbounds nuw double, ptr %y, i64 %j.015
  %v0 = load double, ptr %p, align 8
  %add = fadd double %v0, %add16
  %inc = add nuw nsw i64 %j.015, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %add.1 = phi double [ %add, %body4 ]
  store double %add.1, ptr %p5, align 8
  %add7 = add nuw nsw i64 %i.018, 2
  %cmp = icmp slt i64 %add7, %n
  br i1 %cmp, label %loop1.pre, label %end.1

end.1:
  br label %end

end:
  ret void
}
