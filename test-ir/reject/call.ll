; A call of an unknown function.
;
;     void effect(double *);
;     void f(long n, double *restrict x) {
;         for (long i = 0; i < n; i++) {
;             x[i] = 1.0;
;             effect(x);
;         }
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the loop contains a function call, which may have other effects than computing a value
define void @f(i64 %n, ptr noalias %x) {
entry:
  %cmp4 = icmp sgt i64 %n, 0
  br i1 %cmp4, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.05 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.05
  store double 1.000000e+00, ptr %p, align 8
  call void @effect(ptr %x)
  %inc = add nuw nsw i64 %i.05, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}

declare void @effect(ptr)
