; A search: two exits.
;
;     void f(long n, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++) {
;             if (x[i] < 0.0)
;                 break;
;             y[i] = x[i];
;         }
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the loop's form is not supported: it has several exits
define void @f(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp9 = icmp sgt i64 %n, 0
  br i1 %cmp9, label %body.pre, label %cleanup

body.pre:
  br label %body

body:
  %i.010 = phi i64 [ %inc, %if.end ], [ 0, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.010
  %v0 = load double, ptr %p, align 8
  %cmp1 = fcmp olt double %v0, 0.000000e+00
  br i1 %cmp1, label %cleanup.1, label %if.end

if.end:
  %p3 = getelementptr inbounds nuw double, ptr %y, i64 %i.010
  store double %v0, ptr %p3, align 8
  %inc = add nuw nsw i64 %i.010, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %cleanup.1, label %body

cleanup.1:
  br label %cleanup

cleanup:
  ret void
}
