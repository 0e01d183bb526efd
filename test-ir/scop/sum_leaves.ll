; A sum that is wanted behind the loops: zero where they do not run, else what its cell holds.
;
;     double f(long n, double *restrict x, double *restrict y) {
;         double s = 0.0;
;         for (long i = 0; i < n; i++) {
;             s += x[i];
;             y[i] = x[i] * 2.0;
;         }
;         return s;
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: array s_010[] of double
; CHECK-NEXT: array x[] of double
; CHECK-NEXT: array y[] of double
; CHECK-NEXT: array s_0[] of double
; CHECK-NEXT: S0 at [0]
; CHECK-NEXT:   domain [n] -> { [] }
; CHECK-NEXT:   write s_010
; CHECK-NEXT:   s_010 = const
; CHECK-NEXT: S1 at [1, 0]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write s_010
; CHECK-NEXT:   read s_010
; CHECK-NEXT:   read x[i0]
; CHECK-NEXT:   s_010 = (s_010 + x[i0])
; CHECK-NEXT: S2 at [1, 1]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write y[i0]
; CHECK-NEXT:   read x[i0]
; CHECK-NEXT:   y[i0] = (x[i0] * const)
; CHECK-NEXT: S3 at [2]
; CHECK-NEXT:   domain [n] -> { [] }
; CHECK-NEXT:   write s_0
; CHECK-NEXT:   read s_010
; CHECK-NEXT:   s_0 = s_010

define double @f(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp9 = icmp sgt i64 %n, 0
  br i1 %cmp9, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  %add = phi double [ %add.1, %body ]
  br label %end

end:
  %s.0 = phi double [ 0.000000e+00, %entry ], [ %add, %end.1 ]
  ret double %s.0

body:
  %i.011 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %s.010 = phi double [ %add.1, %body ], [ 0.000000e+00, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.011
  %v0 = load double, ptr %p, align 8
  %add.1 = fadd double %s.010, %v0
  %mul = fmul double %v0, 2.000000e+00
  %p2 = getelementptr inbounds nuw double, ptr %y, i64 %i.011
  store double %mul, ptr %p2, align 8
  %inc = add nuw nsw i64 %i.011, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
