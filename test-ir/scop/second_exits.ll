; Ways out of the middle of a loop that jump threading has made: control goes on to the end of the loop, if that leaves it then, and the exit gets the same values.
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; for (k = m; k > 0; k--) if (b[k] != 0) { b[k] = 1; for (i = 0; i < k - 1; i++) b[i] = 2; }
; CHECK-LABEL: function led_back
; CHECK-NOT: several exits
; CHECK: if (fcmp(b[-i0 + m], const)) b[-i0 + m] =
; CHECK: S2 at
define void @led_back(ptr noalias %b, i64 %m) {
entry:
  %some = icmp sgt i64 %m, 0
  br i1 %some, label %loop, label %exit
loop:
  %k = phi i64 [ %m, %entry ], [ %k.next, %latch ]
  %at = getelementptr inbounds double, ptr %b, i64 %k
  %x = load double, ptr %at
  %c = fcmp une double %x, 0.0
  br i1 %c, label %then, label %latch
then:
  store double 1.0, ptr %at
  %more = icmp sgt i64 %k, 1
  br i1 %more, label %inner, label %exit
inner:
  %i = phi i64 [ 0, %then ], [ %i.next, %inner ]
  %at.i = getelementptr inbounds double, ptr %b, i64 %i
  store double 2.0, ptr %at.i
  %i.next = add nuw nsw i64 %i, 1
  %last = sub nsw i64 %k, 1
  %done = icmp eq i64 %i.next, %last
  br i1 %done, label %latch, label %inner
latch:
  %on = icmp sgt i64 %k, 1
  %k.next = add nsw i64 %k, -1
  br i1 %on, label %loop, label %exit
exit:
  ret void
}

; The condition at the end says something else.
; CHECK-LABEL: function another_condition
; CHECK: several exits
define void @another_condition(ptr noalias %b, i64 %m) {
entry:
  %some = icmp sgt i64 %m, 0
  br i1 %some, label %loop, label %exit
loop:
  %k = phi i64 [ %m, %entry ], [ %k.next, %latch ]
  %at = getelementptr inbounds double, ptr %b, i64 %k
  %x = load double, ptr %at
  %c = fcmp une double %x, 0.0
  br i1 %c, label %then, label %latch
then:
  store double 1.0, ptr %at
  %more = icmp sgt i64 %k, 2
  br i1 %more, label %inner, label %exit
inner:
  %i = phi i64 [ 0, %then ], [ %i.next, %inner ]
  %at.i = getelementptr inbounds double, ptr %b, i64 %i
  store double 2.0, ptr %at.i
  %i.next = add nuw nsw i64 %i, 1
  %last = sub nsw i64 %k, 1
  %done = icmp eq i64 %i.next, %last
  br i1 %done, label %latch, label %inner
latch:
  %on = icmp sgt i64 %k, 1
  %k.next = add nsw i64 %k, -1
  br i1 %on, label %loop, label %exit
exit:
  ret void
}

; The condition at the end may be undefined where that in the middle is not.
; CHECK-LABEL: function undefined_at_the_end
; CHECK: several exits
define void @undefined_at_the_end(ptr noalias %b, i64 %m) {
entry:
  %some = icmp sgt i64 %m, 0
  br i1 %some, label %loop, label %exit
loop:
  %k = phi i64 [ %m, %entry ], [ %k.next, %latch ]
  %at = getelementptr inbounds double, ptr %b, i64 %k
  %x = load double, ptr %at
  %c = fcmp une double %x, 0.0
  br i1 %c, label %then, label %latch
then:
  store double 1.0, ptr %at
  %more = icmp sgt i64 %k, 1
  br i1 %more, label %inner, label %exit
inner:
  %i = phi i64 [ 0, %then ], [ %i.next, %inner ]
  %at.i = getelementptr inbounds double, ptr %b, i64 %i
  store double 2.0, ptr %at.i
  %i.next = add nuw nsw i64 %i, 1
  %last = sub nsw i64 %k, 1
  %done = icmp eq i64 %i.next, %last
  br i1 %done, label %latch, label %inner
latch:
  %k.next = add nsw i64 %k, -1
  %on = icmp sgt i64 %k.next, 0
  br i1 %on, label %loop, label %exit
exit:
  ret void
}

; The end stores: it may not run once more.
; CHECK-LABEL: function stores_at_the_end
; CHECK: several exits
define void @stores_at_the_end(ptr noalias %b, ptr noalias %d, i64 %m) {
entry:
  %some = icmp sgt i64 %m, 0
  br i1 %some, label %loop, label %exit
loop:
  %k = phi i64 [ %m, %entry ], [ %k.next, %latch ]
  %at = getelementptr inbounds double, ptr %b, i64 %k
  %x = load double, ptr %at
  %c = fcmp une double %x, 0.0
  br i1 %c, label %then, label %latch
then:
  store double 1.0, ptr %at
  %more = icmp sgt i64 %k, 1
  br i1 %more, label %inner, label %exit
inner:
  %i = phi i64 [ 0, %then ], [ %i.next, %inner ]
  %at.i = getelementptr inbounds double, ptr %b, i64 %i
  store double 2.0, ptr %at.i
  %i.next = add nuw nsw i64 %i, 1
  %last = sub nsw i64 %k, 1
  %done = icmp eq i64 %i.next, %last
  br i1 %done, label %latch, label %inner
latch:
  %of = getelementptr inbounds double, ptr %d, i64 %k
  store double 3.0, ptr %of
  %on = icmp sgt i64 %k, 1
  %k.next = add nsw i64 %k, -1
  br i1 %on, label %loop, label %exit
exit:
  ret void
}

; Behind the loop it makes a difference which way was taken.
; CHECK-LABEL: function values_differ
; CHECK: several exits
define i64 @values_differ(ptr noalias %b, i64 %m) {
entry:
  %some = icmp sgt i64 %m, 0
  br i1 %some, label %loop, label %exit
loop:
  %k = phi i64 [ %m, %entry ], [ %k.next, %latch ]
  %at = getelementptr inbounds double, ptr %b, i64 %k
  %x = load double, ptr %at
  %c = fcmp une double %x, 0.0
  br i1 %c, label %then, label %latch
then:
  store double 1.0, ptr %at
  %more = icmp sgt i64 %k, 1
  br i1 %more, label %inner, label %exit
inner:
  %i = phi i64 [ 0, %then ], [ %i.next, %inner ]
  %at.i = getelementptr inbounds double, ptr %b, i64 %i
  store double 2.0, ptr %at.i
  %i.next = add nuw nsw i64 %i, 1
  %last = sub nsw i64 %k, 1
  %done = icmp eq i64 %i.next, %last
  br i1 %done, label %latch, label %inner
latch:
  %on = icmp sgt i64 %k, 1
  %k.next = add nsw i64 %k, -1
  br i1 %on, label %loop, label %exit
exit:
  %way = phi i64 [ 0, %entry ], [ 1, %then ], [ 2, %latch ]
  ret i64 %way
}

; Two ways from one block to the end would have to bring the same.
; CHECK-LABEL: function to_the_end_or_out
; CHECK: several exits
define void @to_the_end_or_out(ptr noalias %b, i64 %m) {
entry:
  %some = icmp sgt i64 %m, 0
  br i1 %some, label %loop, label %exit
loop:
  %k = phi i64 [ %m, %entry ], [ %k.next, %latch ]
  %at = getelementptr inbounds double, ptr %b, i64 %k
  %x = load double, ptr %at
  %c = fcmp une double %x, 0.0
  br i1 %c, label %then, label %latch
then:
  br label %inner
inner:
  %i = phi i64 [ 0, %then ], [ %i.next, %inner ]
  %at.i = getelementptr inbounds double, ptr %b, i64 %i
  store double 2.0, ptr %at.i
  %i.next = add nuw nsw i64 %i, 1
  %last = sub nsw i64 %k, 1
  %done = icmp eq i64 %i.next, %last
  br i1 %done, label %behind, label %inner
behind:
  store double 1.0, ptr %at
  %more = icmp sgt i64 %k, 1
  br i1 %more, label %latch, label %exit
latch:
  %way = phi double [ 0.0, %loop ], [ 1.0, %behind ]
  %on = icmp sgt i64 %k, 1
  %k.next = add nsw i64 %k, -1
  %twice = fadd double %way, %way
  br i1 %on, label %loop, label %exit
exit:
  ret void
}

; What the end asks for depends on the way to it.
; CHECK-LABEL: function asks_for_the_way
; CHECK: several exits
define void @asks_for_the_way(ptr noalias %b, i64 %m) {
entry:
  %some = icmp sgt i64 %m, 0
  br i1 %some, label %loop, label %exit
loop:
  %k = phi i64 [ %m, %entry ], [ %k.next, %latch ]
  %at = getelementptr inbounds double, ptr %b, i64 %k
  %x = load double, ptr %at
  %c = fcmp une double %x, 0.0
  br i1 %c, label %then, label %latch
then:
  store double 1.0, ptr %at
  %more = icmp sgt i64 %k, 1
  br i1 %more, label %inner, label %exit
inner:
  %i = phi i64 [ 0, %then ], [ %i.next, %inner ]
  %at.i = getelementptr inbounds double, ptr %b, i64 %i
  store double 2.0, ptr %at.i
  %i.next = add nuw nsw i64 %i, 1
  %last = sub nsw i64 %k, 1
  %done = icmp eq i64 %i.next, %last
  br i1 %done, label %latch, label %inner
latch:
  %way = phi i64 [ 0, %loop ], [ 1, %inner ]
  %few = icmp ult i64 %way, 2
  %left = icmp sgt i64 %k, 1
  %on = and i1 %few, %left
  %k.next = add nsw i64 %k, -1
  br i1 %on, label %loop, label %exit
exit:
  ret void
}
