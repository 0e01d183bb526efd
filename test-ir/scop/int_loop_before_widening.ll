; Iterators and subscripts of 32 bits with nsw, extended at the access: they are what they look like.
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: array x[][2] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write x[i0][1]
; CHECK-NEXT:   x[i0][1] = const

;     void f(int n, double *restrict x) {
;         for (int i = 0; i < n; i++)
;             x[2 * i + 1] = 1.0;
;     }
define void @f(i32 %n, ptr noalias %x) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %twice = shl nsw i32 %i, 1
  %odd = add nsw i32 %twice, 1
  %wide = sext i32 %odd to i64
  %p = getelementptr inbounds double, ptr %x, i64 %wide
  store double 1.0, ptr %p
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret void
}
