; sqrt may set errno, and errno may be a cell of the int array. With -fno-math-errno it would do.
;
;     double sqrt(double);
;     void f(long n, int *x, double *restrict y) {
;         for (long i = 0; i < n; i++) {
;             y[i] = sqrt(y[i]);
;             x[i] += 1;
;         }
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the loop contains calls that set errno, which may have other effects than computing a value
define void @f(i64 %n, ptr %x, ptr noalias %y) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %y, i64 %i
  %a = load double, ptr %p
  %b = call double @sqrt(double %a) #0
  store double %b, ptr %p
  %q = getelementptr inbounds i32, ptr %x, i64 %i
  %c = load i32, ptr %q
  %d = add nsw i32 %c, 1
  store i32 %d, ptr %q
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, 100
  br i1 %over, label %end, label %loop

end:
  ret void
}

declare double @sqrt(double) #0
attributes #0 = { nounwind willreturn memory(errnomem: write) }
