; A length has no sign: 200 in eight bits is not -56, and not nothing.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -disable-output %s 2>&1 | %FileCheck %s

; CHECK: a memory intrinsic with a length of few bits

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
define void @f(ptr noalias %a, ptr noalias %b, i64 %n) #0 {
entry:
  %c = icmp sgt i64 %n, 0
  br i1 %c, label %li, label %exit
li:
  %i = phi i64 [0, %entry], [%i1, %latch]
  %row = getelementptr inbounds [256 x i8], ptr %a, i64 %i
  call void @llvm.memset.p0.i8(ptr %row, i8 7, i8 200, i1 false)
  br label %lj
lj:
  %j = phi i64 [0, %li], [%j1, %lj]
  %p = getelementptr inbounds [256 x i8], ptr %a, i64 %i, i64 %j
  %q = getelementptr inbounds [256 x i8], ptr %b, i64 %j, i64 %i
  %v = load i8, ptr %p
  %w = load i8, ptr %q
  %x = add i8 %v, %w
  store i8 %x, ptr %p
  %j1 = add nuw nsw i64 %j, 1
  %d = icmp eq i64 %j1, 256
  br i1 %d, label %latch, label %lj
latch:
  %i1 = add nuw nsw i64 %i, 1
  %e = icmp eq i64 %i1, %n
  br i1 %e, label %exit, label %li
exit:
  ret void
}
declare void @llvm.memset.p0.i8(ptr, i8, i8, i1)
attributes #0 = { nounwind }
