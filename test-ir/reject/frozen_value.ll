; A value that may be undefined, frozen inside the loop.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the loop contains a value that may be undefined, which may have other effects than computing a value
define void @f(double %a, ptr noalias %x, ptr noalias %y) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %q = getelementptr inbounds double, ptr %y, i64 %i
  %v = load double, ptr %p
  %w = freeze double %v
  store double %w, ptr %q
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, 100
  br i1 %over, label %end, label %loop

end:
  ret void
}
