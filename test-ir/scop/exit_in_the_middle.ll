; The only exit is in the middle of the body: what comes behind it runs once less.
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK: S0 at [0, 0]
; CHECK-NEXT: domain {{.*}}i0 >= 0 and i0 <= 100 }
; CHECK: S1 at [0, 1]
; CHECK-NEXT: domain {{.*}}i0 >= 0 and i0 <= 99 }
define void @stores(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  store double 1.0, ptr %p
  %over = icmp eq i64 %i, 100
  br i1 %over, label %end, label %latch

latch:
  %q = getelementptr inbounds double, ptr %y, i64 %i
  store double 2.0, ptr %q
  %next = add nuw nsw i64 %i, 1
  br label %loop

end:
  ret void
}

; A loop behind the exit, and what follows both. The exit's block comes first.
; CHECK: function loop_behind
; CHECK: S0 at [0, 0]
; CHECK-NEXT: domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK: S1 at [0, 1, 0]
; CHECK-NEXT: domain [n] -> { [i0, i1] : i0 >= 0 and i0 <= n - 2 and i1 >= 0 and i1 <= 9 }
; CHECK: S2 at [1]
define void @loop_behind(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %loop, label %none

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  store double 1.0, ptr %p
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, %n
  br i1 %over, label %end, label %inner

inner:
  %j = phi i64 [ 0, %loop ], [ %j.next, %inner ]
  %at = add nuw nsw i64 %i, %j
  %q = getelementptr inbounds double, ptr %y, i64 %at
  %old = load double, ptr %q
  %new = fadd double %old, 2.0
  store double %new, ptr %q
  %j.next = add nuw nsw i64 %j, 1
  %done = icmp eq i64 %j.next, 10
  br i1 %done, label %latch, label %inner

latch:
  br label %loop

end:
  store double 3.0, ptr %x
  br label %none

none:
  ret void
}
