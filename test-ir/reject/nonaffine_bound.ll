; The inner bound is a product of iterators: the outer loop is refused. (The inner one alone would do.)
;
;     void f(long n, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < i * i; j++)
;                 x[i] += y[j];
;     }
;
; RUN: %loopwright-opt -passes=loopwright -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the loop bound is not an affine function of outer loops and sizes
define void @f(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp18 = icmp sgt i64 %n, 0
  br i1 %cmp18, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i20 = phi i64 [ %i21.next, %end3 ], [ 0, %loop1.pre.pre ]
  %i = phi i64 [ %i.next, %end3 ], [ 1, %loop1.pre.pre ]
  %i.019 = phi i64 [ %inc7, %end3 ], [ 0, %loop1.pre.pre ]
  %umax = call i64 @llvm.umax.i64(i64 %i20, i64 1)
  %cmp215.not = icmp eq i64 %i.019, 0
  br i1 %cmp215.not, label %end3, label %body4.lr.ph

body4.lr.ph:
  %p5 = getelementptr inbounds nuw double, ptr %x, i64 %i.019
  %p5.start = load double, ptr %p5, align 8
  br label %body4

end.1:
  br label %end

end:
  ret void

loop1.end3:
  %add = phi double [ %add.1, %body4 ]
  store double %add, ptr %p5, align 8
  br label %end3

end3:
  %inc7 = add nuw nsw i64 %i.019, 1
  %i.next = add nuw i64 %i, 2
  %i21.next = add i64 %i20, %i
  %done22.not = icmp eq i64 %inc7, %n
  br i1 %done22.not, label %end.1, label %loop1.pre

body4:
  %add17 = phi double [ %p5.start, %body4.lr.ph ], [ %add.1, %body4 ]
  %j.016 = phi i64 [ 0, %body4.lr.ph ], [ %inc, %body4 ]
  %p = getelementptr inbounds nuw double, ptr %y, i64 %j.016
  %v0 = load double, ptr %p, align 8
  %add.1 = fadd double %v0, %add17
  %inc = add nuw nsw i64 %j.016, 1
  %done.not = icmp eq i64 %inc, %umax
  br i1 %done.not, label %loop1.end3, label %body4
}

declare i64 @llvm.umax.i64(i64, i64)
