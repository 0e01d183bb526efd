; A call with effects between two nests: two regions. Negative twin of sibling_nests.
;
;     void effect(void);
;     void two(long n, long m, double *restrict x, double *restrict y, double *restrict z) {
;         for (long i = 0; i < n; i++)
;             y[i] = x[i] + 1.0;
;         effect();
;         for (long i = 0; i < m; i++)
;             for (long j = 0; j < m; j++)
;                 z[i] += y[j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function two
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: array y[] of double
; CHECK-NEXT: array x[] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write y[i0]
; CHECK-NEXT:   read x[i0]
; CHECK-NEXT:   y[i0] = (x[i0] + const)
; CHECK-NEXT: params [m]
; CHECK-NEXT: context [m] -> { [] }
; CHECK-NEXT: array z[] of double
; CHECK-NEXT: array y[] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [m] -> { [i0, i1] : i0 >= 0 and i0 <= m - 1 and i1 >= 0 and i1 <= m - 1 }
; CHECK-NEXT:   write z[i0]
; CHECK-NEXT:   read y[i1]
; CHECK-NEXT:   read z[i0]
; CHECK-NEXT:   z[i0] = (y[i1] + z[i0])

define void @two(i64 %n, i64 %m, ptr noalias %x, ptr noalias %y, ptr noalias %z) {
entry:
  %cmp29 = icmp sgt i64 %n, 0
  br i1 %cmp29, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  br label %end

end:
  call void @effect()
  %cmp434 = icmp sgt i64 %m, 0
  br i1 %cmp434, label %loop7.pre.pre, label %end5

loop7.pre.pre:
  br label %loop7.pre

loop7.pre:
  %i2.035 = phi i64 [ %inc18, %loop7.end9 ], [ 0, %loop7.pre.pre ]
  %p12 = getelementptr inbounds nuw double, ptr %z, i64 %i2.035
  %p12.start = load double, ptr %p12, align 8
  br label %body10

body10:
  %add1333 = phi double [ %p12.start, %loop7.pre ], [ %add13, %body10 ]
  %j.032 = phi i64 [ 0, %loop7.pre ], [ %inc15, %body10 ]
  %p11 = getelementptr inbounds nuw double, ptr %y, i64 %j.032
  %v0 = load double, ptr %p11, align 8
  %add13 = fadd double %v0, %add1333
  %inc15 = add nuw nsw i64 %j.032, 1
  %done36.not = icmp eq i64 %inc15, %m
  br i1 %done36.not, label %loop7.end9, label %body10

loop7.end9:
  %add13.1 = phi double [ %add13, %body10 ]
  store double %add13.1, ptr %p12, align 8
  %inc18 = add nuw nsw i64 %i2.035, 1
  %done37.not = icmp eq i64 %inc18, %m
  br i1 %done37.not, label %end5.1, label %loop7.pre

body:
  %i.030 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.030
  %v1 = load double, ptr %p, align 8
  %add = fadd double %v1, 1.000000e+00
  %p1 = getelementptr inbounds nuw double, ptr %y, i64 %i.030
  store double %add, ptr %p1, align 8
  %inc = add nuw nsw i64 %i.030, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body

end5.1:
  br label %end5

end5:
  ret void
}

declare void @effect()
