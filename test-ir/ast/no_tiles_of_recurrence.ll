; x[j] of one iteration is x[i] of any later one: the loops may not be interchanged, so they are not tiled. Negative twin of tiles.
;
;     void f(long n, long m, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < m; j++)
;                 x[j] += x[i] * y[j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force;tile=8>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: tiled 8
; CHECK-NEXT: if (1 <= m) {
; CHECK-NEXT:   for (c0 = 0; c0 <= floord(n - 1, 8); c0 += 1) { // tile
; CHECK-NEXT:     if (8*c0 + 8 <= n) {
; CHECK-NEXT:       for (c1 = 8*c0; c1 <= 8*c0 + 7; c1 += 1) {
; CHECK-NEXT:         for (c2 = 0; c2 <= floord(m - 1, 8); c2 += 1) { // tile
; CHECK-NEXT:           if (8*c2 + 8 <= m) {
; CHECK-NEXT:             for (c3 = 8*c2; c3 <= 8*c2 + 7; c3 += 1) {
; CHECK-NEXT:               S0: x[c3] = fmuladd(x[c1], y[c3], x[c3]);
; CHECK-NEXT:             }
; CHECK-NEXT:           } else {
; CHECK-NEXT:             for (c3 = 8*c2; c3 <= m - 1; c3 += 1) {
; CHECK-NEXT:               S0: x[c3] = fmuladd(x[c1], y[c3], x[c3]);
; CHECK-NEXT:             }
; CHECK-NEXT:           }
; CHECK-NEXT:         }
; CHECK-NEXT:       }
; CHECK-NEXT:     } else {
; CHECK-NEXT:       for (c1 = 8*c0; c1 <= n - 1; c1 += 1) {
; CHECK-NEXT:         for (c2 = 0; c2 <= floord(m - 1, 8); c2 += 1) { // tile
; CHECK-NEXT:           if (8*c2 + 8 <= m) {
; CHECK-NEXT:             for (c3 = 8*c2; c3 <= 8*c2 + 7; c3 += 1) {
; CHECK-NEXT:               S0: x[c3] = fmuladd(x[c1], y[c3], x[c3]);
; CHECK-NEXT:             }
; CHECK-NEXT:           } else {
; CHECK-NEXT:             for (c3 = 8*c2; c3 <= m - 1; c3 += 1) {
; CHECK-NEXT:               S0: x[c3] = fmuladd(x[c1], y[c3], x[c3]);
; CHECK-NEXT:             }
; CHECK-NEXT:           }
; CHECK-NEXT:         }
; CHECK-NEXT:       }
; CHECK-NEXT:     }
; CHECK-NEXT:   }
; CHECK-NEXT: }

define void @f(i64 %n, i64 %m, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp18 = icmp sgt i64 %n, 0
  %cmp216 = icmp sgt i64 %m, 0
  %or.cond = and i1 %cmp18, %cmp216
  br i1 %or.cond, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.019 = phi i64 [ %inc8, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.019
  br label %body4

body4:
  %j.017 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %v0 = load double, ptr %p, align 8
  %p5 = getelementptr inbounds nuw double, ptr %y, i64 %j.017
  %v1 = load double, ptr %p5, align 8
  %p6 = getelementptr inbounds nuw double, ptr %x, i64 %j.017
  %v2 = load double, ptr %p6, align 8
  %v3 = call double @llvm.fmuladd.f64(double %v0, double %v1, double %v2)
  store double %v3, ptr %p6, align 8
  %inc = add nuw nsw i64 %j.017, 1
  %done.not = icmp eq i64 %inc, %m
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc8 = add nuw nsw i64 %i.019, 1
  %done21.not = icmp eq i64 %inc8, %n
  br i1 %done21.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
