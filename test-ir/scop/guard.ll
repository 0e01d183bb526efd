; A branch on iterators and parameters becomes rows of the domain of what it guards.
;
;     void f(long n, long k, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++) {
;             y[i] = x[i] * 2.0;
;             for (long j = 0; j < n; j++)
;                 if (i + j < k)
;                     y[j] += x[i];
;         }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n, k]
; CHECK-NEXT: context [n, k] -> { [] }
; CHECK-NEXT: array y[] of double
; CHECK-NEXT: array x[] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [n, k] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write y[i0]
; CHECK-NEXT:   read x[i0]
; CHECK-NEXT:   y[i0] = (x[i0] * const)
; CHECK-NEXT: S1 at [0, 1, 0]
; CHECK-NEXT:   domain [n, k] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= n - 1 and i0 + i1 <= k - 1 }
; CHECK-NEXT:   write y[i1]
; CHECK-NEXT:   read x[i0]
; CHECK-NEXT:   read y[i1]
; CHECK-NEXT:   y[i1] = (x[i0] + y[i1])

define void @f(i64 %n, i64 %k, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp26 = icmp sgt i64 %n, 0
  br i1 %cmp26, label %body.pre, label %end

body.pre:
  br label %body

body:
  %i.027 = phi i64 [ %inc11, %loop2.end4 ], [ 0, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.027
  %v0 = load double, ptr %p, align 8
  %mul = fmul double %v0, 2.000000e+00
  %p1 = getelementptr inbounds nuw double, ptr %y, i64 %i.027
  store double %mul, ptr %p1, align 8
  br label %body5

body5:
  %j.025 = phi i64 [ 0, %body ], [ %inc, %for.inc ]
  %add = add nuw nsw i64 %j.025, %i.027
  %cmp6 = icmp slt i64 %add, %k
  br i1 %cmp6, label %if.then, label %for.inc

if.then:
  %p8 = getelementptr inbounds nuw double, ptr %y, i64 %j.025
  %v1 = load double, ptr %p8, align 8
  %add9 = fadd double %v0, %v1
  store double %add9, ptr %p8, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %j.025, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop2.end4, label %body5

loop2.end4:
  %inc11 = add nuw nsw i64 %i.027, 1
  %done28.not = icmp eq i64 %inc11, %n
  br i1 %done28.not, label %end.1, label %body

end.1:
  br label %end

end:
  ret void
}
