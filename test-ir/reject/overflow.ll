; 2^60 iterations: subscripts would leave the range in which the analysis counts.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: numbers in the analysis became too large
define void @f(ptr noalias %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr i8, ptr %x, i64 %i
  store i8 1, ptr %p
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, 1152921504606846976
  br i1 %over, label %end, label %loop

end:
  ret void
}
