; A loop whose header is a `catchswitch`: nothing can be computed in front of it, and nothing is. (It was tried to.)
;
; RUN: %loopwright-opt -passes=loopwright-joined-steps -verify-each -S %s | %FileCheck %s
; RUN: %loopwright-opt -passes=loopwright -verify-each -disable-output %s

; CHECK: %next = phi i32 [ %s, %oth ], [ 1, %body ]
target triple = "x86_64-pc-windows-msvc"
declare i32 @__CxxFrameHandler3(...)
declare void @f(i32)
define void @k(ptr %a) personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @f(i32 0) to label %exit unwind label %H
H:
  %j = phi i32 [ 0, %entry ], [ %next, %latch ]
  %cs = catchswitch within none [label %c] unwind to caller
c:
  %cp = catchpad within %cs [ptr null, i32 64, ptr null]
  catchret from %cp to label %body
body:
  %z = icmp eq i32 %j, 0
  br i1 %z, label %latch, label %inner
inner:
  %k = phi i32 [ 0, %body ], [ %k1, %inner ]
  %p = getelementptr double, ptr %a, i32 %k
  store double 1.0, ptr %p
  %k1 = add nuw nsw i32 %k, 1
  %d = icmp eq i32 %k1, %j
  br i1 %d, label %oth, label %inner
oth:
  %s = add nuw nsw i32 %j, 1
  br label %latch
latch:
  %next = phi i32 [ %s, %oth ], [ 1, %body ]
  invoke void @f(i32 %next) to label %exit unwind label %H
exit:
  ret void
}
