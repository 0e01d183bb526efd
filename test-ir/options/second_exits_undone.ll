; Where nothing is transformed the program leaves its loops where it left them.
;
; RUN: %loopwright-opt -passes='loopwright<policy=off>' -S %s | %FileCheck %s
; RUN: %loopwright-opt -passes=loopwright-second-exits -S %s | %FileCheck --check-prefix=LED %s
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %s | %FileCheck --check-prefix=DONE %s

; CHECK-LABEL: define i64 @solve(
; CHECK: then:
; CHECK: br i1 %more, label %{{inner.*}}, label %[[EXIT:exit[a-z.]*]]{{$}}
; CHECK: latch:
; CHECK-NEXT: %way = phi i64 [ 5, %loop ], [ %i{{.*}}, %{{[a-z.]*}} ]{{$}}
; CHECK: br i1 %on, label %{{loop.*}}, label %[[EXIT]]{{$}}
; CHECK: [[EXIT]]:
; CHECK: phi i64 {{.*}}[ %k, %then ]
; CHECK-NOT: loopwright.second.exit

; LED: br i1 %more, label %inner, label %latch, !loopwright.second.exit
; LED: phi i64 [ 5, %loop ], [ %i, %inner ], [ %k, %then ]

; DONE-NOT: loopwright.second.exit
define i64 @solve(ptr noalias %b, i64 %m) {
entry:
  %some = icmp sgt i64 %m, 0
  br i1 %some, label %loop, label %end
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
  %way = phi i64 [ 5, %loop ], [ %i, %inner ]
  %on = icmp sgt i64 %k, 1
  %k.next = add nsw i64 %k, -1
  br i1 %on, label %loop, label %exit
exit:
  %left = phi i64 [ %k, %then ], [ %way, %latch ]
  br label %end
end:
  %result = phi i64 [ 0, %entry ], [ %left, %exit ]
  ret i64 %result
}
