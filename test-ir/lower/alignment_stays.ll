; Accesses are not thought to be better aligned than in the source.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %s | %FileCheck %s

; CHECK: lw.loop:
; CHECK: load double, ptr {{.*}}, align 1
; CHECK: store double {{.*}}, align 1
define void @f(ptr noalias %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p, align 1
  %w = fadd double %v, 1.0
  store double %w, ptr %p, align 1
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, 100
  br i1 %over, label %end, label %loop

end:
  ret void
}
