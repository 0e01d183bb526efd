; A bound that is the least of two: a row for each. LLVM takes the larger of that and one, where it cannot see that the loop runs.
;
;     for (long t = 0; t < n; t += 32)
;         for (long i = t; i < min(t + 32, n); i++)
;             x[i] = 1.0;
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK: S0 at [0, 0, 0]
; CHECK-NEXT: domain [n] -> { [i0, i1] : i0 >= 0 and i1 >= 0 and i1 <= 31 and 32i0 + i1 <= n - 1 }
; CHECK-NEXT: write x[i0][i1]
define void @tiles(i32 %n, ptr noalias %x) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %first, label %end

first:
  %wide = zext i32 %n to i64
  br label %outer

outer:
  %t = phi i64 [ 0, %first ], [ %t.next, %latch ]
  %t.next = add nuw nsw i64 %t, 32
  %to = call i64 @llvm.smin.i64(i64 %t.next, i64 %wide)
  br label %inner

inner:
  %i = phi i64 [ %t, %outer ], [ %i.next, %inner ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  store double 1.0, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %to
  br i1 %more, label %inner, label %latch

latch:
  %again = icmp slt i64 %t.next, %wide
  br i1 %again, label %outer, label %end

end:
  ret void
}

; A condition: less than the least of two.
; CHECK: function guarded
; CHECK: S0 at
; CHECK-NEXT: domain {{.*}} i1 >= 0 and i0 + i1 <= m - 3 and i0 + i1 <= n - 1
define void @guarded(i32 %n, i32 %m, ptr noalias %x) {
entry:
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %outer, label %end

outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %less = add nsw i32 %m, -2
  %to = call i32 @llvm.smin.i32(i32 %n, i32 %less)
  %enter = icmp slt i32 %i, %to
  br i1 %enter, label %inner, label %latch

inner:
  %j = phi i32 [ %i, %outer ], [ %j.next, %inner ]
  %at = sext i32 %j to i64
  %p = getelementptr inbounds double, ptr %x, i64 %at
  store double 1.0, ptr %p
  %j.next = add nsw i32 %j, 1
  %more = icmp slt i32 %j.next, %to
  br i1 %more, label %inner, label %latch

latch:
  %i.next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %outer, label %end

end:
  ret void
}

declare i64 @llvm.smin.i64(i64, i64)
declare i32 @llvm.smin.i32(i32, i32)
