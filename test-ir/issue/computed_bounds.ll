; A bound that is a quotient without sign means something only where the loop runs: for (i = 2; i < m; i++) for (j = 0; j < m - 1; j += s), interchanged, would have 613 million iterations without any work for m = 0.
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK:      interchanged loops
; CHECK-NEXT: if (3 <= m) {
; CHECK-NEXT:   for (c0 = 0; c0 <= q2; c0 += 1) { // parallel
; CHECK-NEXT:     for (c1 = 2; c1 <= m - 1; c1 += 1) { // parallel
define void @columns(i32 %m, i8 %s, ptr noalias %c, ptr noalias %x) {
entry:
  %long = sext i32 %m to i64
  %s.long = zext i8 %s to i64
  %step = add nuw nsw i64 %s.long, 1
  %some = icmp sgt i32 %m, 2
  br i1 %some, label %before, label %done

before:
  %less = add nsw i32 %m, -1
  %end = zext nneg i32 %less to i64
  br label %outer

outer:
  %i = phi i64 [ %i.next, %outer.latch ], [ 2, %before ]
  %column = getelementptr inbounds nuw float, ptr %c, i64 %i
  %x.i = getelementptr inbounds nuw float, ptr %x, i64 %i
  %factor = load float, ptr %x.i, align 4
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %cell = getelementptr inbounds nuw [100 x float], ptr %column, i64 %j
  %old = load float, ptr %cell, align 4
  %new = fadd float %old, %factor
  store float %new, ptr %cell, align 4
  %j.next = add nuw nsw i64 %j, %step
  %again = icmp samesign ult i64 %j.next, %end
  br i1 %again, label %inner, label %outer.latch

outer.latch:
  %i.next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %i.next, %long
  br i1 %over, label %done, label %outer

done:
  ret void
}
