; An atomic access.
;
;     void f(long n, _Atomic long *x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 y[j] += __c11_atomic_load(&x[i * n + j], __ATOMIC_RELAXED);
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the loop contains a volatile or atomic access
define void @f(i64 %n, ptr %x, ptr noalias %y) {
entry:
  %cmp19 = icmp sgt i64 %n, 0
  br i1 %cmp19, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.020 = phi i64 [ %inc8, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %mul = mul nuw nsw i64 %i.020, %n
  %v0 = getelementptr i64, ptr %x, i64 %mul
  br label %body4

body4:
  %j.018 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %p = getelementptr i64, ptr %v0, i64 %j.018
  %v1 = load atomic i64, ptr %p monotonic, align 8
  %conv = sitofp i64 %v1 to double
  %p5 = getelementptr inbounds nuw double, ptr %y, i64 %j.018
  %v2 = load double, ptr %p5, align 8
  %add6 = fadd double %v2, %conv
  store double %add6, ptr %p5, align 8
  %inc = add nuw nsw i64 %j.018, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc8 = add nuw nsw i64 %i.020, 1
  %done21.not = icmp eq i64 %inc8, %n
  br i1 %done21.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
