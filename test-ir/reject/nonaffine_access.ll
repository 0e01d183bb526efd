; The subscript is a square.
;
;     void f(long n, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 x[i * i] += y[j];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: a subscript is not an affine function of the loops
define void @f(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp18 = icmp sgt i64 %n, 0
  br i1 %cmp18, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.019 = phi i64 [ %inc7, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %mul = mul nuw nsw i64 %i.019, %i.019
  %p5 = getelementptr inbounds nuw double, ptr %x, i64 %mul
  %p5.start = load double, ptr %p5, align 8
  br label %body4

body4:
  %add17 = phi double [ %p5.start, %loop1.pre ], [ %add, %body4 ]
  %j.016 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %p = getelementptr inbounds nuw double, ptr %y, i64 %j.016
  %v0 = load double, ptr %p, align 8
  %add = fadd double %v0, %add17
  %inc = add nuw nsw i64 %j.016, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %add.1 = phi double [ %add, %body4 ]
  store double %add.1, ptr %p5, align 8
  %inc7 = add nuw nsw i64 %i.019, 1
  %done20.not = icmp eq i64 %inc7, %n
  br i1 %done20.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
