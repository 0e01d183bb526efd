; A frozen condition on data is computed by every statement under it, each for itself: all of them must get one value. A comparison of loaded values does; a shift
; by too much may be a different value every time.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks=loopwright -pass-remarks-missed=loopwright -S %s 2>&1 | %FileCheck %s

; CHECK: remark: {{.*}}run-time check with the original loops as the other branch
; CHECK: remark: {{.*}}cannot transform the loops: the loop contains a value that may be undefined
; CHECK-LABEL: define void @compared(
; CHECK: lw.start:
; CHECK: freeze i1
; CHECK: freeze i1
define void @compared(i64 %n, ptr noalias %x, ptr noalias %y, ptr noalias %z) {
entry:
  %guard = icmp sgt i64 %n, 0
  br i1 %guard, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %px = getelementptr inbounds i32, ptr %x, i64 %i
  %vx = load i32, ptr %px, align 4
  %c = icmp sgt i32 %vx, 3
  %f = freeze i1 %c
  br i1 %f, label %yes, label %latch

yes:
  %py = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %vx, ptr %py, align 4
  %pz = getelementptr inbounds i32, ptr %z, i64 %i
  store i32 7, ptr %pz, align 4
  br label %latch

latch:
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}

; CHECK-LABEL: define void @shifted(
; CHECK-NOT: lw.start
; CHECK: ret void
define void @shifted(i64 %n, ptr noalias %x, ptr noalias %y, ptr noalias %z) {
entry:
  %guard = icmp sgt i64 %n, 0
  br i1 %guard, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %px = getelementptr inbounds i32, ptr %x, i64 %i
  %vx = load i32, ptr %px, align 4
  %s = shl i32 1, %vx
  %c = icmp sgt i32 %s, 3
  %f = freeze i1 %c
  br i1 %f, label %yes, label %latch

yes:
  %py = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %vx, ptr %py, align 4
  %pz = getelementptr inbounds i32, ptr %z, i64 %i
  store i32 7, ptr %pz, align 4
  br label %latch

latch:
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}

; An argument that may be poison gets one value for all statements.
; CHECK-LABEL: define void @argument(
; CHECK: lw.start:
; CHECK: freeze i32 %c
; CHECK-NOT: freeze i32
define void @argument(i64 %n, i32 %c, ptr noalias %x, ptr noalias %y, ptr noalias %z) {
entry:
  %guard = icmp sgt i64 %n, 0
  br i1 %guard, label %loop, label %end

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %px = getelementptr inbounds i32, ptr %x, i64 %i
  %vx = load i32, ptr %px, align 4
  %large = icmp sgt i32 %c, 5
  %c2 = icmp sgt i32 %vx, 3
  %both = or i1 %large, %c2
  %f = freeze i1 %both
  br i1 %f, label %yes, label %no

yes:
  %py = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 1, ptr %py, align 4
  br label %latch

no:
  %pz = getelementptr inbounds i32, ptr %z, i64 %i
  store i32 2, ptr %pz, align 4
  br label %latch

latch:
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}
