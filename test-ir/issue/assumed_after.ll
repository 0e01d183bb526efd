; A value of which an assumption behind the nests speaks is used after them: two loops with such a value between them are no region, each alone is.
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks=loopwright -S %s 2>&1 | %FileCheck %s
; CHECK-COUNT-2: rewrote the loops
; CHECK: define void @k
; CHECK: %z = icmp
; CHECK: llvm.assume(i1 %z)
declare void @llvm.assume(i1)
define void @k(ptr noalias %a, ptr noalias %b, i64 %n) {
entry:
  br label %l1
l1:
  %i = phi i64 [0, %entry], [%i1, %l1]
  %p = getelementptr double, ptr %a, i64 %i
  store double 1.0, ptr %p
  %i1 = add nuw nsw i64 %i, 1
  %e = icmp eq i64 %i1, 100
  br i1 %e, label %mid, label %l1
mid:
  %m = mul nsw i64 %n, 3
  %z = icmp sgt i64 %m, 5
  br label %l2
l2:
  %j = phi i64 [0, %mid], [%j1, %l2]
  %q = getelementptr double, ptr %b, i64 %j
  store double 2.0, ptr %q
  %j1 = add nuw nsw i64 %j, 1
  %f = icmp eq i64 %j1, 100
  br i1 %f, label %end, label %l2
end:
  call void @llvm.assume(i1 %z)
  ret void
}
