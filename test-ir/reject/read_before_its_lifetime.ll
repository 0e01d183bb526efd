; A bound is loaded from an array whose lifetime starts in the loop, and which nobody has stored to: loaded in front of the loops it would be read before that. The inner loop alone may go on.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s

; CHECK: cannot transform the loops: a loaded value is still used after its memory may have changed
define void @f(i64 %n, ptr noalias %x) {
entry:
  %t = alloca [8 x i64], align 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  call void @llvm.lifetime.start.p0(ptr %t)
  %m = load i64, ptr %t, align 8
  %row = mul nsw i64 %i, 100
  br label %in

in:
  %j = phi i64 [ 0, %loop ], [ %j.next, %in ]
  %at = add nsw i64 %row, %j
  %to = getelementptr inbounds double, ptr %x, i64 %at
  store double 1.0, ptr %to, align 8
  %j.next = add nuw nsw i64 %j, 1
  %in.done = icmp sge i64 %j.next, %m
  br i1 %in.done, label %latch, label %in

latch:
  call void @llvm.lifetime.end.p0(ptr %t)
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp sge i64 %i.next, %n
  br i1 %done, label %end, label %loop

end:
  ret void
}

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
