; The consumer reads one cell ahead: fused with a shift by one.
;
;     void f(long n, double *restrict x, double *restrict y, double *restrict z) {
;         for (long i = 0; i < n; i++)
;             y[i] = x[i] + 1.0;
;         for (long i = 0; i < n - 1; i++)
;             z[i] = y[i] * y[i + 1];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: fused 2 nests
; CHECK-NEXT: if (1 <= n) {
; CHECK-NEXT:   S0: y[0] = (x[0] + const);
; CHECK-NEXT: }
; CHECK-NEXT: for (c0 = 1; c0 <= n - 1; c0 += 1) {
; CHECK-NEXT:   hold r0 = y[c0] (store) {
; CHECK-NEXT:     S0: r0 = (x[c0] + const);
; CHECK-NEXT:     S1: z[c0 - 1] = (y[c0 - 1] * r0);
; CHECK-NEXT:   }
; CHECK-NEXT: }

define void @f(i64 %n, ptr noalias %x, ptr noalias %y, ptr noalias %z) {
entry:
  %cmp24 = icmp sgt i64 %n, 0
  br i1 %cmp24, label %body.pre, label %end5

body.pre:
  br label %body

loop3.pre:
  %cmp426.not = icmp eq i64 %n, 1
  br i1 %cmp426.not, label %end5, label %body6.pre

body6.pre:
  %pre = load double, ptr %y, align 8
  %v0 = add nsw i64 %n, -2
  br label %body6

body:
  %i.025 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.025
  %v1 = load double, ptr %p, align 8
  %add = fadd double %v1, 1.000000e+00
  %p1 = getelementptr inbounds nuw double, ptr %y, i64 %i.025
  store double %add, ptr %p1, align 8
  %inc = add nuw nsw i64 %i.025, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop3.pre, label %body

end5.1:
  br label %end5

end5:
  ret void

body6:
  %v2 = phi double [ %v3, %body6 ], [ %pre, %body6.pre ]
  %i2.027 = phi i64 [ %add8, %body6 ], [ 0, %body6.pre ]
  %add8 = add nuw nsw i64 %i2.027, 1
  %p9 = getelementptr inbounds nuw double, ptr %y, i64 %add8
  %v3 = load double, ptr %p9, align 8
  %mul = fmul double %v2, %v3
  %p10 = getelementptr inbounds nuw double, ptr %z, i64 %i2.027
  store double %mul, ptr %p10, align 8
  %done28.not = icmp eq i64 %i2.027, %v0
  br i1 %done28.not, label %end5.1, label %body6
}
