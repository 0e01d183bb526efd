; Where a profile says how often blocks run, the check is not said to fail mostly: LLVM compiles for size what it takes for rare there.
; RUN: %loopwright-opt -passes=loopwright -loopwright-policy=force -S %s | %FileCheck %s

; CHECK-LABEL: define void @plain(
; CHECK: br i1 {{.*}}label %lw.fallback, !prof
; CHECK-LABEL: define void @profiled(
; CHECK: br i1 {{.*}}label %lw.fallback{{$}}
define void @plain(i32 %n, ptr %y, ptr %x) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %before, label %exit

before:
  %count = zext nneg i32 %n to i64
  br label %loop

loop:
  %i = phi i64 [ 0, %before ], [ %next, %loop ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %v, ptr %to
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, %count
  br i1 %over, label %exit, label %loop

exit:
  ret void
}

define void @profiled(i32 %n, ptr %y, ptr %x) !prof !0 {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %before, label %exit

before:
  %count = zext nneg i32 %n to i64
  br label %loop

loop:
  %i = phi i64 [ 0, %before ], [ %next, %loop ]
  %from = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %from
  %to = getelementptr inbounds double, ptr %y, i64 %i
  store double %v, ptr %to
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, %count
  br i1 %over, label %exit, label %loop

exit:
  ret void
}

!0 = !{!"function_entry_count", i64 100}
