; The subscript is a remainder that is not affine in i % 7.
;
;     void f(long n, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             x[(i + 1) % 7] += y[i];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: a subscript is not an affine function of the loops
define void @f(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp5 = icmp sgt i64 %n, 0
  br i1 %cmp5, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.06 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %y, i64 %i.06
  %v0 = load double, ptr %p, align 8
  %inc = add nuw nsw i64 %i.06, 1
  %rem = urem i64 %inc, 7
  %p1 = getelementptr inbounds nuw double, ptr %x, i64 %rem
  %v1 = load double, ptr %p1, align 8
  %add = fadd double %v0, %v1
  store double %add, ptr %p1, align 8
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
