; The only exit is in an arm of a branch: not every iteration comes by.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the number of iterations cannot be computed before the loop starts
define void @f(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  store double 1.0, ptr %p
  %early = icmp slt i64 %i, %n
  br i1 %early, label %latch, label %late

late:
  %over = icmp eq i64 %i, 100
  br i1 %over, label %end, label %latch

latch:
  %q = getelementptr inbounds double, ptr %y, i64 %i
  store double 2.0, ptr %q
  %next = add nuw nsw i64 %i, 1
  br label %loop

end:
  ret void
}
