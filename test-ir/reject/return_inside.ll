; Leaving the function from inside the nest.
;
;     void f(long n, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++) {
;                 if (x[j] < 0.0)
;                     return;
;                 y[i] += x[j];
;             }
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the loop's form is not supported: it has several exits
define void @f(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp23 = icmp sgt i64 %n, 0
  br i1 %cmp23, label %loop1.pre.pre, label %cleanup10

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.024 = phi i64 [ %inc9, %loop1.for.inc8 ], [ 0, %loop1.pre.pre ]
  %p7 = getelementptr inbounds nuw double, ptr %y, i64 %i.024
  br label %body4

body4:
  %j.022 = phi i64 [ 0, %loop1.pre ], [ %inc, %if.end ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %j.022
  %v0 = load double, ptr %p, align 8
  %cmp5 = fcmp olt double %v0, 0.000000e+00
  br i1 %cmp5, label %cleanup10.1, label %if.end

if.end:
  %v1 = load double, ptr %p7, align 8
  %add = fadd double %v0, %v1
  store double %add, ptr %p7, align 8
  %inc = add nuw nsw i64 %j.022, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop1.for.inc8, label %body4

loop1.for.inc8:
  %inc9 = add nuw nsw i64 %i.024, 1
  %done26.not = icmp eq i64 %inc9, %n
  br i1 %done26.not, label %cleanup10.loopexit28, label %loop1.pre

cleanup10.1:
  br label %cleanup10

cleanup10.loopexit28:
  br label %cleanup10

cleanup10:
  ret void
}
