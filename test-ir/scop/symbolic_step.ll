; The step of a loop is an argument: how often it runs is no affine form, but does not change; it becomes a parameter.
;
;     void f(long n, long step, double *restrict A) {
;         for (long i = 0; i < n; i += step)
;             for (long j = 0; j < step; j++)
;                 A[i + j] += 1.0;
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n, step, q2]
; CHECK-NEXT: context [n, step, q2] -> { [] : q2 >= 0 }
; CHECK-NEXT: check q2 >= 0
; CHECK-NEXT: array A[][stride 8*step] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n, step, q2] -> { [i0, i1] : n >= 1 and i0 >= 0 and i0 <= q2 and i1 >= 0 and i1 <= step - 1 }
; CHECK-NEXT:   write A[i0][i1]
; CHECK-NEXT:   read A[i0][i1]
; CHECK-NEXT:   A[i0][i1] = (A[i0][i1] + const)

define void @f(i64 %n, i64 %step, ptr noalias %A) {
entry:
  %some = icmp sgt i64 %n, 0
  %forwards = icmp sgt i64 %step, 0
  %runs = and i1 %some, %forwards
  br i1 %runs, label %pre, label %end

pre:
  br label %loop

loop:
  %i = phi i64 [ 0, %pre ], [ %i.next, %next ]
  %row = getelementptr double, ptr %A, i64 %i
  br label %body

body:
  %j = phi i64 [ 0, %loop ], [ %j.next, %body ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p, align 8
  %sum = fadd double %v, 1.0
  store double %sum, ptr %p, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %step
  br i1 %j.done, label %next, label %body

next:
  %i.next = add nuw nsw i64 %i, %step
  %again = icmp slt i64 %i.next, %n
  br i1 %again, label %loop, label %end.1, !llvm.loop !0

end.1:
  br label %end

end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
