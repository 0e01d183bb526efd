; sqrt, fabs and fma without errno are operations of the statement.
;
;     double sqrt(double); double fabs(double); double fma(double, double, double);
;     void f(long n, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             y[i] = fma(sqrt(x[i]), fabs(y[i]), 1.0);
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: array y[] of double
; CHECK-NEXT: array x[] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write y[i0]
; CHECK-NEXT:   read x[i0]
; CHECK-NEXT:   read y[i0]
; CHECK-NEXT:   y[i0] = fma(sqrt(x[i0]), fabs(y[i0]), const)

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
  %v1 = call double @llvm.sqrt.f64(double %v0)
  %p1 = getelementptr inbounds nuw double, ptr %y, i64 %i.09
  %v2 = load double, ptr %p1, align 8
  %v3 = call double @llvm.fabs.f64(double %v2)
  %v4 = call double @llvm.fma.f64(double %v1, double %v3, double 1.000000e+00)
  store double %v4, ptr %p1, align 8
  %inc = add nuw nsw i64 %i.09, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}

declare double @llvm.sqrt.f64(double)
declare double @llvm.fabs.f64(double)
declare double @llvm.fma.f64(double, double, double)
