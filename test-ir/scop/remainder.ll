; The subscript is a remainder: the loop is modelled as two, i = 7 * i0 + i1.
;
;     void f(long n, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             x[i % 7] += y[i];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: array x[] of double
; CHECK-NEXT: array y[][7] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n] -> { [i0, i1] : i0 >= 0 and i1 >= 0 and i1 <= 6 and 7i0 + i1 <= n - 1 }
; CHECK-NEXT:   write x[i1]
; CHECK-NEXT:   read y[i0][i1]
; CHECK-NEXT:   read x[i1]
; CHECK-NEXT:   x[i1] = (y[i0][i1] + x[i1])

define void @f(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp5 = icmp sgt i64 %n, 0
  br i1 %cmp5, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.06 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %y, i64 %i.06
  %v0 = load double, ptr %p, align 8
  %rem = urem i64 %i.06, 7
  %p1 = getelementptr inbounds nuw double, ptr %x, i64 %rem
  %v1 = load double, ptr %p1, align 8
  %add = fadd double %v0, %v1
  store double %add, ptr %p1, align 8
  %inc = add nuw nsw i64 %i.06, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
