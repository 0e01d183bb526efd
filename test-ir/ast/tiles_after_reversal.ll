; The value comes from the row before and the next column. With the columns backwards the loops may be interchanged, and tiled.
;
;     void skewed(long n, long m, double A[restrict n][m]) {
;         for (long i = 1; i < n; i++)
;             for (long j = 0; j < m - 1; j++)
;                 A[i][j] = A[i - 1][j + 1] + 1.0;
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force;tile=8>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function skewed
; CHECK-NEXT: reversed loops, tiled 8x8
; CHECK-NEXT: if (2 <= m) {
; CHECK-NEXT:   for (c0 = 0; c0 <= floord(n - 1, 8); c0 += 1) { // tile
; CHECK-NEXT:     for (c1 = ceild(-m - 5, 8); c1 <= 0; c1 += 1) { // tile
; CHECK-NEXT:       if (1 <= c0 && 8*c0 + 8 <= n && 2 <= 8*c1 + m && c1 + 1 <= 0) {
; CHECK-NEXT:         for (c2 = 8*c0; c2 <= 8*c0 + 7; c2 += 1) {
; CHECK-NEXT:           for (c3 = 8*c1; c3 <= 8*c1 + 7; c3 += 1) { // parallel
; CHECK-NEXT:             S0: A[c2][-c3] = (A[c2 - 1][-c3 + 1] + const);
; CHECK-NEXT:           }
; CHECK-NEXT:         }
; CHECK-NEXT:       } else {
; CHECK-NEXT:         for (c2 = max(1, 8*c0); c2 <= min(8*c0 + 7, n - 1); c2 += 1) {
; CHECK-NEXT:           for (c3 = max(-m + 2, 8*c1); c3 <= min(8*c1 + 7, 0); c3 += 1) { // parallel
; CHECK-NEXT:             S0: A[c2][-c3] = (A[c2 - 1][-c3 + 1] + const);
; CHECK-NEXT:           }
; CHECK-NEXT:         }
; CHECK-NEXT:       }
; CHECK-NEXT:     }
; CHECK-NEXT:   }
; CHECK-NEXT: }

define void @skewed(i64 %n, i64 %m, ptr noalias %A) {
entry:
  %cmp24 = icmp sgt i64 %n, 1
  %cmp222 = icmp sgt i64 %m, 1
  %or.cond = and i1 %cmp24, %cmp222
  br i1 %or.cond, label %loop1.pre.pre, label %end

loop1.pre.pre:
  %v0 = add nsw i64 %m, -2
  br label %loop1.pre

loop1.pre:
  %i.025 = phi i64 [ %inc11, %loop1.end3 ], [ 1, %loop1.pre.pre ]
  %sub5 = add nsw i64 %i.025, -1
  %v1 = mul nsw i64 %sub5, %m
  %p = getelementptr inbounds double, ptr %A, i64 %v1
  %v2 = mul nuw nsw i64 %i.025, %m
  %p8 = getelementptr inbounds nuw double, ptr %A, i64 %v2
  br label %body4

body4:
  %j.023 = phi i64 [ 0, %loop1.pre ], [ %add, %body4 ]
  %add = add nuw nsw i64 %j.023, 1
  %p6 = getelementptr inbounds nuw double, ptr %p, i64 %add
  %v3 = load double, ptr %p6, align 8
  %add7 = fadd double %v3, 1.000000e+00
  %p9 = getelementptr inbounds nuw double, ptr %p8, i64 %j.023
  store double %add7, ptr %p9, align 8
  %done.not = icmp eq i64 %j.023, %v0
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc11 = add nuw nsw i64 %i.025, 1
  %done27.not = icmp eq i64 %inc11, %n
  br i1 %done27.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
