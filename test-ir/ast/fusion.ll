; Producer and consumer in two nests become one.
;
;     void f(long n, double *restrict x, double *restrict y, double *restrict z) {
;         for (long i = 0; i < n; i++)
;             y[i] = x[i] + 1.0;
;         for (long i = 0; i < n; i++)
;             z[i] = y[i] * 2.0;
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: fused 2 nests
; CHECK-NEXT: for (c0 = 0; c0 <= n - 1; c0 += 1) { // parallel
; CHECK-NEXT:   hold r0 = y[c0] (store) {
; CHECK-NEXT:     S0: r0 = (x[c0] + const);
; CHECK-NEXT:     S1: z[c0] = (r0 * const);
; CHECK-NEXT:   }
; CHECK-NEXT: }

define void @f(i64 %n, ptr noalias %x, ptr noalias %y, ptr noalias %z) {
entry:
  %cmp20 = icmp sgt i64 %n, 0
  br i1 %cmp20, label %body.pre, label %end5

body.pre:
  br label %body

body:
  %i.021 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.021
  %v0 = load double, ptr %p, align 8
  %add = fadd double %v0, 1.000000e+00
  %p1 = getelementptr inbounds nuw double, ptr %y, i64 %i.021
  store double %add, ptr %p1, align 8
  %inc = add nuw nsw i64 %i.021, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %body6.pre, label %body

body6.pre:
  br label %body6

end5.1:
  br label %end5

end5:
  ret void

body6:
  %i2.023 = phi i64 [ %inc10, %body6 ], [ 0, %body6.pre ]
  %p7 = getelementptr inbounds nuw double, ptr %y, i64 %i2.023
  %v1 = load double, ptr %p7, align 8
  %mul = fmul double %v1, 2.000000e+00
  %p8 = getelementptr inbounds nuw double, ptr %z, i64 %i2.023
  store double %mul, ptr %p8, align 8
  %inc10 = add nuw nsw i64 %i2.023, 1
  %done24.not = icmp eq i64 %inc10, %n
  br i1 %done24.not, label %end5.1, label %body6
}
