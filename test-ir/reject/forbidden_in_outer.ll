; The mark on the inner loop: its outer loop is not transformed either.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the source forbids transforming this loop
define void @f(ptr noalias %x, ptr noalias %y) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  br label %loop

loop:
  %j = phi i64 [ 0, %outer ], [ %next, %loop ]
  %q = getelementptr inbounds double, ptr %y, i64 %j
  %a = load double, ptr %p
  %b = load double, ptr %q
  %c = fadd double %a, %b
  store double %c, ptr %q
  %next = add nuw nsw i64 %j, 1
  %over = icmp eq i64 %next, 100
  br i1 %over, label %latch, label %loop, !llvm.loop !0

latch:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, 100
  br i1 %done, label %end, label %outer

end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.disable_nonforced"}
