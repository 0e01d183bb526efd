; An outer loop around a loop without an exit.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the loop's form is not supported: it has several exits
define void @f(i64 %n, ptr noalias %x) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  store double 1.0, ptr %p
  %stuck = icmp eq i64 %i, %n
  br i1 %stuck, label %inner, label %latch

inner:
  br label %inner

latch:
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, 100
  br i1 %over, label %end, label %outer

end:
  ret void
}
