; Tiles of a triangle: full ones below the diagonal, partial ones on it.
;
;     void lower(long n, double A[restrict n][n], double B[restrict n][n]) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j <= i; j++)
;                 A[i][j] += B[j][i];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force;tile=16>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function lower
; CHECK-NEXT: tiled 16x16
; CHECK-NEXT: for (c0 = 0; c0 <= floord(n - 1, 16); c0 += 1) { // tile, parallel
; CHECK-NEXT:   for (c1 = 0; c1 <= c0; c1 += 1) { // tile, parallel
; CHECK-NEXT:     if (16*c0 + 16 <= n && c1 + 1 <= c0) {
; CHECK-NEXT:       for (c2 = 16*c0; c2 <= 16*c0 + 15; c2 += 1) { // parallel
; CHECK-NEXT:         for (c3 = 16*c1; c3 <= 16*c1 + 15; c3 += 1) { // parallel
; CHECK-NEXT:           S0: A[c2][c3] = (B[c3][c2] + A[c2][c3]);
; CHECK-NEXT:         }
; CHECK-NEXT:       }
; CHECK-NEXT:     } else {
; CHECK-NEXT:       for (c2 = 16*c0; c2 <= min(16*c0 + 15, n - 1); c2 += 1) { // parallel
; CHECK-NEXT:         for (c3 = 16*c1; c3 <= min(c2, 16*c1 + 15); c3 += 1) { // parallel
; CHECK-NEXT:           S0: A[c2][c3] = (B[c3][c2] + A[c2][c3]);
; CHECK-NEXT:         }
; CHECK-NEXT:       }
; CHECK-NEXT:     }
; CHECK-NEXT:   }
; CHECK-NEXT: }

define void @lower(i64 %n, ptr noalias %A, ptr noalias %B) {
entry:
  %cmp23 = icmp sgt i64 %n, 0
  br i1 %cmp23, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i = phi i64 [ %i.next, %end3 ], [ 1, %loop1.pre.pre ]
  %i.024 = phi i64 [ %inc9, %end3 ], [ 0, %loop1.pre.pre ]
  %invariant.gep = getelementptr double, ptr %B, i64 %i.024
  %v0 = mul nuw nsw i64 %i.024, %n
  %p6 = getelementptr inbounds nuw double, ptr %A, i64 %v0
  br label %body4

end.1:
  br label %end

end:
  ret void

end3:
  %inc9 = add nuw nsw i64 %i.024, 1
  %i.next = add nuw i64 %i, 1
  %done25.not = icmp eq i64 %inc9, %n
  br i1 %done25.not, label %end.1, label %loop1.pre

body4:
  %j.022 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %v1 = mul nuw nsw i64 %j.022, %n
  %gep = getelementptr double, ptr %invariant.gep, i64 %v1
  %v2 = load double, ptr %gep, align 8
  %p7 = getelementptr inbounds nuw double, ptr %p6, i64 %j.022
  %v3 = load double, ptr %p7, align 8
  %add = fadd double %v2, %v3
  store double %add, ptr %p7, align 8
  %inc = add nuw nsw i64 %j.022, 1
  %done.not = icmp eq i64 %inc, %i
  br i1 %done.not, label %end3, label %body4
}
