; A call that may leave by an exception: an invoke is no branch.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the control flow is not supported: a switch, return, or call that may not come back
define void @f(i64 %n, ptr noalias %x) personality ptr @personality {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  store double 1.0, ptr %p
  invoke void @effect()
          to label %latch unwind label %lpad

latch:
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, 100
  br i1 %over, label %end, label %loop

end:
  ret void

lpad:
  %pad = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %pad
}

declare void @effect()
declare i32 @personality(...)
