; The next value of a counter, of which jump threading has made a phi of `j + 1` and what that is for one `j`, is one sum again. Where nothing is transformed the phi stays.
;
; RUN: %loopwright-opt -passes=loopwright-joined-steps -S %s | %FileCheck --check-prefix=JOINED %s
; RUN: %loopwright-opt -passes='loopwright<policy=off>' -S %s | %FileCheck %s
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %s | %FileCheck --check-prefix=DONE %s

; JOINED-LABEL: define void @parted(
; JOINED: loop:
; JOINED-NEXT: %j = phi i64 [ 0, %entry ], [ %[[NEXT:next[0-9]*]], %latch ]
; JOINED-NEXT: %[[NEXT]] = add nuw nsw i64 %j, 1
; JOINED: icmp eq i64 %[[NEXT]], %n

; CHECK-LABEL: define void @parted(
; CHECK: %j = phi i64 [ 0, %{{.*}} ], [ %next, %latch ]
; CHECK: %next = phi i64 [ %sum, %{{.*}} ], [ 1, %first{{.*}} ]{{$}}
; CHECK: icmp eq i64 %next, %n
; CHECK-NOT: loopwright.joined.step

; DONE-NOT: loopwright.joined.step
define void @parted(ptr noalias %a, i64 %n) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %next, %latch ]
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
  br i1 %done, label %others, label %inner
others:
  %sum = add nuw nsw i64 %j, 1
  br label %latch
latch:
  %next = phi i64 [ %sum, %others ], [ 1, %first ]
  %last = icmp eq i64 %next, %n
  br i1 %last, label %end, label %loop
end:
  ret void
}

; It is not 1 where the counter is not known to be 0, or where that is another number.
; JOINED-LABEL: define void @unknown(
; JOINED: %next = phi i64 [ %sum, %others ], [ 1, %loop ], [ 3, %first ]
define void @unknown(ptr noalias %a, i64 %n, i1 %c) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %next, %latch ]
  %none = icmp eq i64 %j, 0
  br i1 %c, label %latch, label %asked
asked:
  br i1 %none, label %first, label %inner
first:
  store double 1.0, ptr %a
  br label %latch
inner:
  %k = phi i64 [ 0, %asked ], [ %k.next, %inner ]
  %at = getelementptr inbounds double, ptr %a, i64 %k
  store double 2.0, ptr %at
  %k.next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %k.next, %j
  br i1 %done, label %others, label %inner
others:
  %sum = add nuw nsw i64 %j, 1
  br label %latch
latch:
  %next = phi i64 [ %sum, %others ], [ 1, %loop ], [ 3, %first ]
  %last = icmp eq i64 %next, %n
  br i1 %last, label %end, label %loop
end:
  ret void
}

; Where the sum of the known number wraps, nothing is said of wrapping.
; JOINED-LABEL: define void @wraps(
; JOINED: add nsw i8 %j, 1
define void @wraps(ptr noalias %a, i8 %n) {
entry:
  br label %loop
loop:
  %j = phi i8 [ 0, %entry ], [ %next, %latch ]
  %most = icmp ne i8 %j, -1
  br i1 %most, label %inner, label %first
first:
  br label %latch
inner:
  %k = phi i8 [ 0, %loop ], [ %k.next, %inner ]
  %at = getelementptr inbounds double, ptr %a, i8 %k
  store double 2.0, ptr %at
  %k.next = add nuw i8 %k, 1
  %done = icmp eq i8 %k.next, 9
  br i1 %done, label %others, label %inner
others:
  %sum = add nuw nsw i8 %j, 1
  br label %latch
latch:
  %next = phi i8 [ %sum, %others ], [ 0, %first ]
  %last = icmp eq i8 %next, %n
  br i1 %last, label %end, label %loop
end:
  ret void
}
