; The same without nsw: 2 * i + 1 may wrap. It is assumed not to, and that is checked. Twin of int_loop_before_widening.
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] : n <= 1073741824 }
; CHECK-NEXT: check -2n + 2147483649 >= 0
; CHECK-NEXT: array x[][2] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [n] -> { [i0] : n <= 1073741824 and i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write x[i0][1]
; CHECK-NEXT:   x[i0][1] = const

define void @f(i32 %n, ptr noalias %x) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %twice = shl i32 %i, 1
  %odd = add i32 %twice, 1
  %wide = sext i32 %odd to i64
  %p = getelementptr inbounds double, ptr %x, i64 %wide
  store double 1.0, ptr %p
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}
