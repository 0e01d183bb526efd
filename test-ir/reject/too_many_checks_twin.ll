; max-checks=2 is enough for two pairs. Twin of too_many_checks.
;
;     void f(long n, double *a, double *x, double *y) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 a[i] += x[j] * y[j];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force;max-checks=2>' -pass-remarks=loopwright -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %FileCheck --check-prefix=IR %s < %t.ll

; CHECK-NOT: cannot
; CHECK: ; predicted
; CHECK-NOT: cannot
; IR: loopwright.done
define void @f(i64 %n, ptr %a, ptr %x, ptr %y) {
entry:
  %cmp18 = icmp sgt i64 %n, 0
  br i1 %cmp18, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.019 = phi i64 [ %inc8, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %p6 = getelementptr inbounds nuw double, ptr %a, i64 %i.019
  %p6.start = load double, ptr %p6, align 8
  br label %body4

body4:
  %v0 = phi double [ %p6.start, %loop1.pre ], [ %v3, %body4 ]
  %j.017 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %j.017
  %v1 = load double, ptr %p, align 8
  %p5 = getelementptr inbounds nuw double, ptr %y, i64 %j.017
  %v2 = load double, ptr %p5, align 8
  %v3 = call double @llvm.fmuladd.f64(double %v1, double %v2, double %v0)
  store double %v3, ptr %p6, align 8
  %inc = add nuw nsw i64 %j.017, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc8 = add nuw nsw i64 %i.019, 1
  %done20.not = icmp eq i64 %inc8, %n
  br i1 %done20.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
