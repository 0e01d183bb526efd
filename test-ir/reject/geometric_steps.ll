; i *= 2 is not an affine iterator.
;
;     void f(long n, double *restrict y) {
;         for (long i = 1; i < n; i *= 2)
;             y[i] = 1.0;
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the number of iterations cannot be computed before the loop starts
define void @f(i64 %n, ptr noalias %y) {
entry:
  %cmp3 = icmp sgt i64 %n, 1
  br i1 %cmp3, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.04 = phi i64 [ %mul, %body ], [ 1, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %y, i64 %i.04
  store double 1.000000e+00, ptr %p, align 8
  %mul = shl nsw i64 %i.04, 1
  %cmp = icmp slt i64 %mul, %n
  br i1 %cmp, label %body, label %end.1
}
