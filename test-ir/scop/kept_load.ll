; x[i] is loaded, overwritten, and its old value is used: it is kept in memory of its own. Twin of reject/stale_load.
;
;     void f(long n, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++) {
;             double t = x[i];
;             x[i] = 1.0;
;             y[i] = t;
;         }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: array v0[] of double
; CHECK-NEXT: array x[] of double
; CHECK-NEXT: array y[] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write v0[i0]
; CHECK-NEXT:   read x[i0]
; CHECK-NEXT:   v0[i0] = x[i0]
; CHECK-NEXT: S1 at [0, 1]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write x[i0]
; CHECK-NEXT:   x[i0] = const
; CHECK-NEXT: S2 at [0, 2]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write y[i0]
; CHECK-NEXT:   read v0[i0]
; CHECK-NEXT:   y[i0] = v0[i0]

define void @f(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp8 = icmp sgt i64 %n, 0
  br i1 %cmp8, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.09 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.09
  %v0 = load double, ptr %p, align 8
  store double 1.000000e+00, ptr %p, align 8
  %p2 = getelementptr inbounds nuw double, ptr %y, i64 %i.09
  store double %v0, ptr %p2, align 8
  %inc = add nuw nsw i64 %i.09, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
