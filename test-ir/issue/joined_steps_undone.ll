; A loop that both passes in front have changed, in a function of which nothing is transformed: what was done last is undone first. (The sum in front stood for the phi where the second exit was led out again, and the phi
; that came back did not dominate its use.)
;
; RUN: %loopwright-opt -passes='loopwright<policy=off>' -verify-each -S %s | %FileCheck %s
; RUN: %loopwright-opt -passes=loopwright -verify-each -disable-output %s

; CHECK: %next = phi i64 [ %sum, %others
; CHECK: %r = phi i64 {{.*}}[ %sum, %from ]
define i64 @k(ptr noalias %a, i64 %n) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %next, %latch ]
  %last = icmp eq i64 %j, %n
  %none = icmp eq i64 %j, 0
  br i1 %none, label %first, label %inner
first:
  store double 1.0, ptr %a
  br label %latch
inner:
  %k = phi i64 [ 0, %loop ], [ %k.next, %inner ]
  %at = getelementptr inbounds double, ptr %a, i64 %k
  store double 2.0, ptr %at
  %k.next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %k.next, %j
  br i1 %done, label %from, label %inner
from:
  %sum = add nuw nsw i64 %j, 1
  br i1 %last, label %end, label %others
others:
  store double 3.0, ptr %a
  br label %latch
latch:
  %next = phi i64 [ %sum, %others ], [ 1, %first ]
  br i1 %last, label %end, label %loop
end:
  %r = phi i64 [ %next, %latch ], [ %sum, %from ]
  ret i64 %r
}
