; Fast-math flags stay. Those that may make poison go: in their new place the facts behind them may not hold.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %s | %FileCheck %s

; CHECK: lw.loop:
; CHECK: fadd nsz contract double
; CHECK: add i32
define void @f(ptr noalias %x, ptr noalias %y) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p
  %w = fadd nnan nsz contract double %v, 1.0
  store double %w, ptr %p
  %q = getelementptr inbounds i32, ptr %y, i64 %i
  %c = load i32, ptr %q
  %d = add nsw i32 %c, 1
  store i32 %d, ptr %q
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, 100
  br i1 %over, label %end, label %loop

end:
  ret void
}
