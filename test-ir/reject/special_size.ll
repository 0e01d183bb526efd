; An array that is used only for a size of 0 has columns of a length that nothing else tells: that case alone may not decide what is assumed for all sizes.
; Columns for themselves are arrays of one dimension.
;
;     void f(int n, int k, int ld, double c[restrict][max(ld, 0)], double d[restrict][max(ld, 0)]) {
;         if (n < 0 || k < 0 || n == 0) return;
;         for (int j = 0; j < n; j++)
;             if (k == 0)
;                 for (int i = 0; i < n; i++) c[j][i] *= 2;
;             else
;                 for (int i = 0; i < n; i++) d[j][i] += 1;
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: refused: Shape: the dimensions of an array could not be recovered from its subscripts (8*i1 + 8*i0*ld)
; CHECK-NOT: refused

define void @f(i32 %n, i32 %k, i32 %ld, ptr noalias %c, ptr noalias %d) {
entry:
  %n.negative = icmp slt i32 %n, 0
  %k.negative = icmp slt i32 %k, 0
  %bad = or i1 %n.negative, %k.negative
  br i1 %bad, label %end, label %checked

checked:
  %none = icmp eq i32 %n, 0
  br i1 %none, label %end, label %start

start:
  %narrow = add nuw i32 %n, 1
  %last = zext i32 %narrow to i64
  %size = tail call i32 @llvm.smax.i32(i32 %ld, i32 0)
  %stride = zext nneg i32 %size to i64
  %special = icmp eq i32 %k, 0
  br label %outer

outer:
  %j = phi i64 [ 1, %start ], [ %j.next, %latch ]
  %j0 = add nsw i64 %j, -1
  %at = mul nuw nsw i64 %j0, %stride
  br i1 %special, label %special.pre, label %general.pre

special.pre:
  %column = getelementptr double, ptr %c, i64 %at
  br label %special.loop

special.loop:
  %i = phi i64 [ 1, %special.pre ], [ %i.next, %special.loop ]
  %p = getelementptr double, ptr %column, i64 %i
  %q = getelementptr i8, ptr %p, i64 -8
  %x = load double, ptr %q, align 8
  %y = fmul double %x, 2.000000e+00
  store double %y, ptr %q, align 8
  %i.next = add nuw nsw i64 %i, 1
  %i.done = icmp eq i64 %i.next, %last
  br i1 %i.done, label %special.end, label %special.loop

special.end:
  br label %latch

general.pre:
  %column2 = getelementptr double, ptr %d, i64 %at
  br label %general.loop

general.loop:
  %m = phi i64 [ 1, %general.pre ], [ %m.next, %general.loop ]
  %p2 = getelementptr double, ptr %column2, i64 %m
  %q2 = getelementptr i8, ptr %p2, i64 -8
  %x2 = load double, ptr %q2, align 8
  %y2 = fadd double %x2, 1.000000e+00
  store double %y2, ptr %q2, align 8
  %m.next = add nuw nsw i64 %m, 1
  %m.done = icmp eq i64 %m.next, %last
  br i1 %m.done, label %general.end, label %general.loop

general.end:
  br label %latch

latch:
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %last
  br i1 %j.done, label %outer.end, label %outer

outer.end:
  br label %end

end:
  ret void
}

declare i32 @llvm.smax.i32(i32, i32)
