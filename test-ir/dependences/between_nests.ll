; What one nest writes, the next reads: a dependence carried by no loop.
;
;     void two(long n, double *restrict x, double *restrict y, double *restrict z) {
;         for (long i = 0; i < n; i++)
;             y[i] = x[i] + 1.0;
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 z[i] += y[j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-dependences>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function two
; CHECK-NEXT: flow S0 -> S1 on y level 0: [n] -> { [t0, t1, s0] : t1 = s0 and t0 >= 0 and t0 <= n - 1 and t1 >= 0 and t1 <= n - 1 }
; CHECK-NEXT: output S1 -> S1 on z level 1: [n] -> { [t0, t1, s0, s1] : t0 = s0 and t0 >= 0 and t0 <= n - 1 and t1 <= n - 1 and s1 >= 0 and t1 >= s1 + 1 }
; CHECK-NEXT: flow S1 -> S1 on z level 1: [n] -> { [t0, t1, s0, s1] : t0 = s0 and t0 >= 0 and t0 <= n - 1 and t1 <= n - 1 and s1 >= 0 and t1 >= s1 + 1 }
; CHECK-NEXT: anti S1 -> S1 on z level 1: [n] -> { [t0, t1, s0, s1] : t0 = s0 and t0 >= 0 and t0 <= n - 1 and t1 <= n - 1 and s1 >= 0 and t1 >= s1 + 1 }

define void @two(i64 %n, ptr noalias %x, ptr noalias %y, ptr noalias %z) {
entry:
  %cmp30 = icmp sgt i64 %n, 0
  br i1 %cmp30, label %body.pre, label %end5

body.pre:
  br label %body

loop7.pre:
  %i2.036 = phi i64 [ %inc18, %loop7.end9 ], [ 0, %loop7.pre.pre ]
  %p12 = getelementptr inbounds nuw double, ptr %z, i64 %i2.036
  %p12.start = load double, ptr %p12, align 8
  br label %body10

body10:
  %add1334 = phi double [ %p12.start, %loop7.pre ], [ %add13, %body10 ]
  %j.033 = phi i64 [ 0, %loop7.pre ], [ %inc15, %body10 ]
  %p11 = getelementptr inbounds nuw double, ptr %y, i64 %j.033
  %v0 = load double, ptr %p11, align 8
  %add13 = fadd double %v0, %add1334
  %inc15 = add nuw nsw i64 %j.033, 1
  %done37.not = icmp eq i64 %inc15, %n
  br i1 %done37.not, label %loop7.end9, label %body10

loop7.end9:
  %add13.1 = phi double [ %add13, %body10 ]
  store double %add13.1, ptr %p12, align 8
  %inc18 = add nuw nsw i64 %i2.036, 1
  %done38.not = icmp eq i64 %inc18, %n
  br i1 %done38.not, label %end5.1, label %loop7.pre

body:
  %i.031 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.031
  %v1 = load double, ptr %p, align 8
  %add = fadd double %v1, 1.000000e+00
  %p1 = getelementptr inbounds nuw double, ptr %y, i64 %i.031
  store double %add, ptr %p1, align 8
  %inc = add nuw nsw i64 %i.031, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop7.pre.pre, label %body

loop7.pre.pre:
  br label %loop7.pre

end5.1:
  br label %end5

end5:
  ret void
}
