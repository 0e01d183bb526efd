; The consumer reads from the other end: nothing is consumed before all is produced. Negative twin of fusion.
;
;     void f(long n, double *restrict x, double *restrict y, double *restrict z) {
;         for (long i = 0; i < n; i++)
;             y[i] = x[i] + 1.0;
;         for (long i = 0; i < n; i++)
;             z[i] = y[n - 1 - i] * y[i];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK: for (c0 = -n + 1; c0 <= -1; c0 += 1) {
; CHECK-NEXT:   S0: y[-c0] = (x[-c0] + const);
; CHECK-NEXT: }
; CHECK-NEXT: if (1 <= n) {
; CHECK-NEXT:   S0: y[0] = (x[0] + const);
; CHECK-NEXT:   S1: z[0] = (y[n - 1] * y[0]);
; CHECK-NEXT: }
; CHECK-NEXT: for (c0 = 1; c0 <= n - 1; c0 += 1) {
; CHECK-NEXT:   S1: z[c0] = (y[n - c0 - 1] * y[c0]);
; CHECK-NEXT: }

define void @f(i64 %n, ptr noalias %x, ptr noalias %y, ptr noalias %z) {
entry:
  %cmp25 = icmp sgt i64 %n, 0
  br i1 %cmp25, label %body.pre, label %end5

body.pre:
  br label %body

body6.lr.ph:
  %v0 = getelementptr double, ptr %y, i64 %n
  br label %body6

body:
  %i.026 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.026
  %v1 = load double, ptr %p, align 8
  %add = fadd double %v1, 1.000000e+00
  %p1 = getelementptr inbounds nuw double, ptr %y, i64 %i.026
  store double %add, ptr %p1, align 8
  %inc = add nuw nsw i64 %i.026, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %body6.lr.ph, label %body

end5.1:
  br label %end5

end5:
  ret void

body6:
  %i2.028 = phi i64 [ 0, %body6.lr.ph ], [ %inc12, %body6 ]
  %v2 = xor i64 %i2.028, -1
  %p8 = getelementptr double, ptr %v0, i64 %v2
  %v3 = load double, ptr %p8, align 8
  %p9 = getelementptr inbounds nuw double, ptr %y, i64 %i2.028
  %v4 = load double, ptr %p9, align 8
  %mul = fmul double %v3, %v4
  %p10 = getelementptr inbounds nuw double, ptr %z, i64 %i2.028
  store double %mul, ptr %p10, align 8
  %inc12 = add nuw nsw i64 %i2.028, 1
  %done29.not = icmp eq i64 %inc12, %n
  br i1 %done29.not, label %end5.1, label %body6
}
