; What the old loop was marked with it keeps, beside the new mark.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %s | %FileCheck %s

; CHECK: br i1 %over, label %end{{.*}}, label %loop, !llvm.loop [[OLD:![0-9]+]]
; CHECK-DAG: [[OLD]] = distinct !{[[OLD]], [[OTHER:![0-9]+]], [[MARK:![0-9]+]]}
; CHECK-DAG: [[OTHER]] = !{!"llvm.loop.mustprogress"}
; CHECK-DAG: [[MARK]] = !{!"loopwright.done"}
define void @f(i64 %n, ptr %x, ptr %y) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %q = getelementptr inbounds double, ptr %y, i64 %i
  %v = load double, ptr %p
  store double %v, ptr %q
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, 100
  br i1 %over, label %end, label %loop, !llvm.loop !0

end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
