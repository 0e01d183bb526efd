; GVN keeps x[i-1] and x[i] in phis for the next iterations: they are read from their cells again.
;
;     void jacobi(long n, double *restrict x, double *restrict y) {
;         for (long i = 1; i < n - 1; i++)
;             y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3.0;
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function jacobi
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: array y[] of double
; CHECK-NEXT: array x[] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 3 }
; CHECK-NEXT:   write y[i0 + 1]
; CHECK-NEXT:   read x[i0]
; CHECK-NEXT:   read x[i0 + 1]
; CHECK-NEXT:   read x[i0 + 2]
; CHECK-NEXT:   y[i0 + 1] = (((x[i0] + x[i0 + 1]) + x[i0 + 2]) / const)

define void @jacobi(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp14 = icmp sgt i64 %n, 2
  br i1 %cmp14, label %body.pre, label %end

body.pre:
  %phi.trans.insert = getelementptr i8, ptr %x, i64 8
  %pre = load double, ptr %phi.trans.insert, align 8
  %v0 = add nsw i64 %n, -2
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %v1 = phi double [ %v4, %body ], [ %pre, %body.pre ]
  %i.015 = phi i64 [ %add3, %body ], [ 1, %body.pre ]
  %v2 = getelementptr double, ptr %x, i64 %i.015
  %p = getelementptr i8, ptr %v2, i64 -8
  %v3 = load double, ptr %p, align 8
  %add = fadd double %v3, %v1
  %add3 = add nuw nsw i64 %i.015, 1
  %p4 = getelementptr inbounds nuw double, ptr %x, i64 %add3
  %v4 = load double, ptr %p4, align 8
  %add5 = fadd double %add, %v4
  %div = fdiv double %add5, 3.000000e+00
  %p6 = getelementptr inbounds nuw double, ptr %y, i64 %i.015
  store double %div, ptr %p6, align 8
  %done.not = icmp eq i64 %i.015, %v0
  br i1 %done.not, label %end.1, label %body
}
