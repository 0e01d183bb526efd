; Jacobi with two arrays in time: shifted, skewed, tiled.
;
;     void jacobi(long t, long n, double *restrict x, double *restrict y) {
;         for (long s = 0; s < t; s++) {
;             for (long i = 1; i < n - 1; i++)
;                 y[i] = (x[i - 1] + x[i] + x[i + 1]) * 0.33333;
;             for (long i = 1; i < n - 1; i++)
;                 x[i] = y[i];
;         }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force;tile=32>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function jacobi
; CHECK-NEXT: skewed loops, fused 2 nests, tiled 32x32
; CHECK-NEXT: if (3 <= n) {
; CHECK-NEXT:   for (c0 = 0; c0 <= floord(t - 1, 32); c0 += 1) { // tile
; CHECK-NEXT:     for (c1 = 2*c0; c1 <= min(floord(64*c0 + n + 60, 32), floord(2*t + n - 4, 32)); c1 += 1) { // tile
; CHECK-NEXT:       if (32*c0 + 32 <= t && 2*c0 + 2 <= c1 && 32*c1 + 34 <= 64*c0 + n) {
; CHECK-NEXT:         for (c2 = 32*c0; c2 <= 32*c0 + 31; c2 += 1) {
; CHECK-NEXT:           for (c3 = 32*c1; c3 <= 32*c1 + 31; c3 += 1) {
; CHECK-NEXT:             hold r0 = x[c3 - 2*c2] (load, store) {
; CHECK-NEXT:               S0: y[c3 - 2*c2 + 1] = (((r0 + x[c3 - 2*c2 + 1]) + x[c3 - 2*c2 + 2]) * const);
; CHECK-NEXT:               S1: r0 = y[c3 - 2*c2];
; CHECK-NEXT:             }
; CHECK-NEXT:           }
; CHECK-NEXT:         }
; CHECK-NEXT:       } else {
; CHECK-NEXT:         for (c2 = max(32*c0, ceild(32*c1 - n + 2, 2)); c2 <= min(16*c1 + 15, 32*c0 + 31, t - 1); c2 += 1) {
; CHECK-NEXT:           if (16*c1 <= c2) {
; CHECK-NEXT:             S0: y[1] = (((x[0] + x[1]) + x[2]) * const);
; CHECK-NEXT:           }
; CHECK-NEXT:           for (c3 = max(32*c1, 2*c2 + 1); c3 <= min(2*c2 + n - 3, 32*c1 + 31); c3 += 1) {
; CHECK-NEXT:             hold r1 = x[c3 - 2*c2] (load, store) {
; CHECK-NEXT:               S0: y[c3 - 2*c2 + 1] = (((r1 + x[c3 - 2*c2 + 1]) + x[c3 - 2*c2 + 2]) * const);
; CHECK-NEXT:               S1: r1 = y[c3 - 2*c2];
; CHECK-NEXT:             }
; CHECK-NEXT:           }
; CHECK-NEXT:           if (2*c2 + n <= 32*c1 + 33) {
; CHECK-NEXT:             S1: x[n - 2] = y[n - 2];
; CHECK-NEXT:           }
; CHECK-NEXT:         }
; CHECK-NEXT:       }
; CHECK-NEXT:     }
; CHECK-NEXT:   }
; CHECK-NEXT: }

define void @jacobi(i64 %t, i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp43 = icmp sgt i64 %t, 0
  %cmp239 = icmp sgt i64 %n, 2
  %or.cond = and i1 %cmp43, %cmp239
  br i1 %or.cond, label %loop1.pre.pre, label %end

loop1.pre.pre:
  %scevgep = getelementptr i8, ptr %x, i64 8
  %scevgep59 = getelementptr i8, ptr %y, i64 8
  %v0 = shl i64 %n, 3
  %v1 = add i64 %v0, -16
  %v2 = add nsw i64 %n, -2
  br label %loop1.pre

loop1.pre:
  %s.044 = phi i64 [ %inc23, %body16.pre ], [ 0, %loop1.pre.pre ]
  %pre = load double, ptr %scevgep, align 8
  br label %body4

body4:
  %v3 = phi double [ %pre, %loop1.pre ], [ %v6, %body4 ]
  %i.040 = phi i64 [ 1, %loop1.pre ], [ %add7, %body4 ]
  %v4 = getelementptr double, ptr %x, i64 %i.040
  %p = getelementptr i8, ptr %v4, i64 -8
  %v5 = load double, ptr %p, align 8
  %add = fadd double %v5, %v3
  %add7 = add nuw nsw i64 %i.040, 1
  %p8 = getelementptr inbounds nuw double, ptr %x, i64 %add7
  %v6 = load double, ptr %p8, align 8
  %add9 = fadd double %add, %v6
  %mul = fmul double %add9, 3.333300e-01
  %p10 = getelementptr inbounds nuw double, ptr %y, i64 %i.040
  store double %mul, ptr %p10, align 8
  %done.not = icmp eq i64 %i.040, %v2
  br i1 %done.not, label %body16.pre, label %body4

body16.pre:
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %scevgep, ptr align 8 %scevgep59, i64 %v1, i1 false)
  %inc23 = add nuw nsw i64 %s.044, 1
  %done60.not = icmp eq i64 %inc23, %t
  br i1 %done60.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
