; A value that is loaded in front of the inner loop twice, from one address, and comes to a phi on both ways: the phi is that value. Not where something is stored between the two loads.
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function alike
; CHECK: S0 at [0, 0, 0]
; CHECK: write y[i1]
; CHECK-NOT: S1 at
; CHECK: y[i1] = ((w[i0] * x[i1]) + y[i1])

; CHECK-LABEL: loopwright: function stored_between
; CHECK-NEXT: refused: Carried

define void @alike(i64 %n, ptr noalias %y, ptr noalias %x, ptr noalias %w) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %outer, label %exit

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %p = getelementptr inbounds double, ptr %w, i64 %i
  %first = load double, ptr %p, align 8
  %second = load double, ptr %p, align 8
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %v = phi double [ %first, %outer ], [ %second, %inner ]
  %q = getelementptr inbounds double, ptr %x, i64 %j
  %a = load double, ptr %q, align 8
  %m = fmul double %v, %a
  %r = getelementptr inbounds double, ptr %y, i64 %j
  %old = load double, ptr %r, align 8
  %new = fadd double %m, %old
  store double %new, ptr %r, align 8
  %j.next = add nuw nsw i64 %j, 1
  %inner.done = icmp eq i64 %j.next, %n
  br i1 %inner.done, label %latch, label %inner

latch:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %outer

exit:
  ret void
}

define void @stored_between(i64 %n, ptr noalias %y, ptr noalias %x, ptr noalias %w) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %outer, label %exit

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %p = getelementptr inbounds double, ptr %w, i64 %i
  %first = load double, ptr %p, align 8
  store double 1.0, ptr %p, align 8
  %second = load double, ptr %p, align 8
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %v = phi double [ %first, %outer ], [ %second, %inner ]
  %q = getelementptr inbounds double, ptr %x, i64 %j
  %a = load double, ptr %q, align 8
  %m = fmul double %v, %a
  %r = getelementptr inbounds double, ptr %y, i64 %j
  %old = load double, ptr %r, align 8
  %new = fadd double %m, %old
  store double %new, ptr %r, align 8
  %j.next = add nuw nsw i64 %j, 1
  %inner.done = icmp eq i64 %j.next, %n
  br i1 %inner.done, label %latch, label %inner

latch:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %outer

exit:
  ret void
}
