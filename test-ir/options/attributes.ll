; Functions marked optsize, minsize or optnone are left alone, whatever the policy; a function beside them without a mark is not.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %s | %FileCheck %s
; RUN: %loopwright-opt -passes='forceattrs,function(loopwright<policy=force>)' -force-remove-attribute=optsize -S %s | %FileCheck --check-prefix=REMOVED %s

; CHECK-LABEL: define void @plain
; CHECK: lw.loop
; CHECK-LABEL: define void @size
; CHECK-NOT: lw.loop
; CHECK-LABEL: define void @least_size
; CHECK-NOT: lw.loop
; CHECK-LABEL: define void @none
; CHECK-NOT: lw.loop
; CHECK: loopwright.done
; REMOVED-LABEL: define void @size
; REMOVED: lw.loop
; REMOVED-LABEL: define void @least_size
define void @plain(ptr noalias %x, ptr noalias %y) {
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
  ret void
}

define void @size(ptr noalias %x, ptr noalias %y) optsize {
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
  ret void
}

define void @least_size(ptr noalias %x, ptr noalias %y) minsize optsize {
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
  ret void
}

define void @none(ptr noalias %x, ptr noalias %y) optnone noinline {
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
  ret void
}
