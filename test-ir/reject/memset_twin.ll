; The same memset, not volatile. Twin of volatile_memset.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks=loopwright -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %FileCheck --check-prefix=IR %s < %t.ll

; CHECK-NOT: cannot
; CHECK: ; predicted
; CHECK-NOT: cannot
; IR: loopwright.done
define void @f(i64 %n, ptr noalias %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds [10 x double], ptr %x, i64 %i
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 80, i1 false)
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, 100
  br i1 %over, label %end, label %loop

end:
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)
