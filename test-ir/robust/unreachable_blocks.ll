; Blocks that nothing reaches, with loops among them, and a loop that ends in unreachable.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -verify-each -S %s | %FileCheck %s

; CHECK: define void @dead
; CHECK: define void @stops
define void @dead(ptr %x) {
entry:
  ret void

loop:
  %i = phi i64 [ 0, %other ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  store double 1.0, ptr %p
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, 100
  br i1 %over, label %other, label %loop

other:
  br label %loop
}

define void @stops(ptr %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  store double 1.0, ptr %p
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, 100
  br i1 %over, label %end, label %loop

end:
  unreachable
}
