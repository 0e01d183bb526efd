; A loop around a cycle with two entries.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the control flow is not supported: a cycle that is not a loop
define void @f(i1 %c, i64 %n, ptr noalias %x) {
entry:
  br label %outer

outer:
  %k = phi i64 [ 0, %entry ], [ %k.next, %latch ]
  br i1 %c, label %a, label %b

a:
  %i = phi i64 [ 0, %outer ], [ %next, %b ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  store double 1.0, ptr %p
  br label %b

b:
  %j = phi i64 [ 5, %outer ], [ %i, %a ]
  %next = add nuw nsw i64 %j, 1
  %over = icmp uge i64 %next, %n
  br i1 %over, label %latch, label %a

latch:
  %k.next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %k.next, 100
  br i1 %done, label %end, label %outer

end:
  ret void
}
