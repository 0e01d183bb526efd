; Gauss-Seidel in time and space: skewed so that the loops may be interchanged, and tiled.
;
;     void seidel(long t, long n, double *restrict x) {
;         for (long s = 0; s < t; s++)
;             for (long i = 1; i < n - 1; i++)
;                 x[i] = (x[i - 1] + x[i] + x[i + 1]) * 0.33333;
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force;tile=32>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function seidel
; CHECK-NEXT: skewed loops, tiled 32x32
; CHECK-NEXT: if (3 <= n) {
; CHECK-NEXT:   for (c0 = 0; c0 <= floord(t - 1, 32); c0 += 1) { // tile
; CHECK-NEXT:     for (c1 = c0; c1 <= min(floord(32*c0 + n + 29, 32), floord(t + n - 3, 32)); c1 += 1) { // tile
; CHECK-NEXT:       if (32*c0 + 32 <= t && c0 + 1 <= c1 && 32*c1 + 33 <= 32*c0 + n) {
; CHECK-NEXT:         for (c2 = 32*c0; c2 <= 32*c0 + 31; c2 += 1) {
; CHECK-NEXT:           for (c3 = 32*c1; c3 <= 32*c1 + 31; c3 += 1) {
; CHECK-NEXT:             S0: x[c3 - c2] = (((x[c3 - c2 - 1] + x[c3 - c2]) + x[c3 - c2 + 1]) * const);
; CHECK-NEXT:           }
; CHECK-NEXT:         }
; CHECK-NEXT:       } else {
; CHECK-NEXT:         for (c2 = max(32*c0, 32*c1 - n + 2); c2 <= min(32*c1 + 30, 32*c0 + 31, t - 1); c2 += 1) {
; CHECK-NEXT:           for (c3 = max(32*c1, c2 + 1); c3 <= min(c2 + n - 2, 32*c1 + 31); c3 += 1) {
; CHECK-NEXT:             S0: x[c3 - c2] = (((x[c3 - c2 - 1] + x[c3 - c2]) + x[c3 - c2 + 1]) * const);
; CHECK-NEXT:           }
; CHECK-NEXT:         }
; CHECK-NEXT:       }
; CHECK-NEXT:     }
; CHECK-NEXT:   }
; CHECK-NEXT: }

define void @seidel(i64 %t, i64 %n, ptr noalias %x) {
entry:
  %cmp25 = icmp sgt i64 %t, 0
  %cmp223 = icmp sgt i64 %n, 2
  %or.cond = and i1 %cmp25, %cmp223
  br i1 %or.cond, label %loop1.pre.pre, label %end

loop1.pre.pre:
  %phi.trans.insert = getelementptr i8, ptr %x, i64 8
  %v0 = add nsw i64 %n, -2
  br label %loop1.pre

loop1.pre:
  %s.026 = phi i64 [ %inc12, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %pre = load double, ptr %phi.trans.insert, align 8
  br label %body4

body4:
  %v1 = phi double [ %pre, %loop1.pre ], [ %v4, %body4 ]
  %i.024 = phi i64 [ 1, %loop1.pre ], [ %add7, %body4 ]
  %v2 = getelementptr double, ptr %x, i64 %i.024
  %p = getelementptr i8, ptr %v2, i64 -8
  %v3 = load double, ptr %p, align 8
  %add = fadd double %v3, %v1
  %add7 = add nuw nsw i64 %i.024, 1
  %p8 = getelementptr inbounds nuw double, ptr %x, i64 %add7
  %v4 = load double, ptr %p8, align 8
  %add9 = fadd double %add, %v4
  %mul = fmul double %add9, 3.333300e-01
  store double %mul, ptr %v2, align 8
  %done.not = icmp eq i64 %i.024, %v0
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc12 = add nuw nsw i64 %s.026, 1
  %done28.not = icmp eq i64 %inc12, %t
  br i1 %done28.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
