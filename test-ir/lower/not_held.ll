; The innermost loop overwrites what it reads: every value is stored at once. Negative twin of held_cell_is_phi.
;
;     void f(long n, long m, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < m; j++)
;                 x[j] += x[i] * y[j];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %s | %FileCheck %s

; CHECK: lw.start:
; CHECK: [[INNER:lw.loop[0-9]+]]:
; CHECK-NOT: phi double
; CHECK: [[NEXT:%.*]] = call double @llvm.fmuladd.f64
; CHECK-NEXT: store double [[NEXT]]
; CHECK: br i1 {{.*}}, label %[[INNER]], !llvm.loop
define void @f(i64 %n, i64 %m, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp18 = icmp sgt i64 %n, 0
  %cmp216 = icmp sgt i64 %m, 0
  %or.cond = and i1 %cmp18, %cmp216
  br i1 %or.cond, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.019 = phi i64 [ %inc8, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.019
  br label %body4

body4:
  %j.017 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %v0 = load double, ptr %p, align 8
  %p5 = getelementptr inbounds nuw double, ptr %y, i64 %j.017
  %v1 = load double, ptr %p5, align 8
  %p6 = getelementptr inbounds nuw double, ptr %x, i64 %j.017
  %v2 = load double, ptr %p6, align 8
  %v3 = call double @llvm.fmuladd.f64(double %v0, double %v1, double %v2)
  store double %v3, ptr %p6, align 8
  %inc = add nuw nsw i64 %j.017, 1
  %done.not = icmp eq i64 %inc, %m
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc8 = add nuw nsw i64 %i.019, 1
  %done21.not = icmp eq i64 %inc8, %n
  br i1 %done21.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
