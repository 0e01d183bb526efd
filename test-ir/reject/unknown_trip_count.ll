; How long the loop runs is seen only when it is over.
;
;     void f(double x, double *restrict y) {
;         for (long i = 0; x > 1.0; i++) {
;             y[i] = x;
;             x *= 0.5;
;         }
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the number of iterations cannot be computed before the loop starts
define void @f(double %x, ptr noalias %y) {
entry:
  %cmp4 = fcmp ogt double %x, 1.000000e+00
  br i1 %cmp4, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.06 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %x.addr.05 = phi double [ %mul, %body ], [ %x, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %y, i64 %i.06
  store double %x.addr.05, ptr %p, align 8
  %mul = fmul double %x.addr.05, 5.000000e-01
  %inc = add nuw nsw i64 %i.06, 1
  %cmp = fcmp ogt double %mul, 1.000000e+00
  br i1 %cmp, label %body, label %end.1
}
