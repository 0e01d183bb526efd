; A recurrence: the value stored last is what the next iteration reads, through a phi.
;
;     void prefix(long n, double *restrict x, double *restrict y) {
;         for (long i = 1; i < n; i++)
;             y[i] = y[i - 1] + x[i];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function prefix
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: array y[] of double
; CHECK-NEXT: array x[] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 2 }
; CHECK-NEXT:   write y[i0 + 1]
; CHECK-NEXT:   read y[i0]
; CHECK-NEXT:   read x[i0 + 1]
; CHECK-NEXT:   y[i0 + 1] = (y[i0] + x[i0 + 1])

define void @prefix(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp8 = icmp sgt i64 %n, 1
  br i1 %cmp8, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.09 = phi i64 [ %inc, %body ], [ 1, %body.pre ]
  %v0 = getelementptr double, ptr %y, i64 %i.09
  %p = getelementptr i8, ptr %v0, i64 -8
  %v1 = load double, ptr %p, align 8
  %p1 = getelementptr inbounds nuw double, ptr %x, i64 %i.09
  %v2 = load double, ptr %p1, align 8
  %add = fadd double %v1, %v2
  store double %add, ptr %v0, align 8
  %inc = add nuw nsw i64 %i.09, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
