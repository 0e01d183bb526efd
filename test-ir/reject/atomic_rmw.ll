; An atomic update.
;
;     void f(long n, _Atomic long *x, double *restrict y) {
;         for (long i = 0; i < n; i++) {
;             __c11_atomic_fetch_add(&x[i], 1, __ATOMIC_RELAXED);
;             y[i] = 1.0;
;         }
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the loop contains a volatile or atomic access
define void @f(i64 %n, ptr %x, ptr noalias %y) {
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
  %p = getelementptr inbounds nuw i64, ptr %x, i64 %i.06
  %v0 = atomicrmw add ptr %p, i64 1 monotonic, align 8
  %p1 = getelementptr inbounds nuw double, ptr %y, i64 %i.06
  store double 1.000000e+00, ptr %p1, align 8
  %inc = add nuw nsw i64 %i.06, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
