; The inner bound depends on the outer iterator: a triangle, not a box.
;
;     void lower(long n, double A[restrict n][n]) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j <= i; j++)
;                 A[i][j] = 1.0;
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function lower
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: array A[][stride 8*n] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n] -> { [i0, i1] : i0 <= n - 1 and i1 >= 0 and i0 >= i1 }
; CHECK-NEXT:   write A[i0][i1]
; CHECK-NEXT:   A[i0][i1] = const

define void @lower(i64 %n, ptr noalias %A) {
entry:
  %cmp17 = icmp sgt i64 %n, 0
  br i1 %cmp17, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i = phi i64 [ %i.next, %end3 ], [ 1, %loop1.pre.pre ]
  %i.018 = phi i64 [ %inc7, %end3 ], [ 0, %loop1.pre.pre ]
  %v0 = mul nuw nsw i64 %i.018, %n
  %p = getelementptr inbounds nuw double, ptr %A, i64 %v0
  br label %body4

end.1:
  br label %end

end:
  ret void

end3:
  %inc7 = add nuw nsw i64 %i.018, 1
  %i.next = add nuw i64 %i, 1
  %done19.not = icmp eq i64 %inc7, %n
  br i1 %done19.not, label %end.1, label %loop1.pre

body4:
  %j.016 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %p5 = getelementptr inbounds nuw double, ptr %p, i64 %j.016
  store double 1.000000e+00, ptr %p5, align 8
  %inc = add nuw nsw i64 %j.016, 1
  %done.not = icmp eq i64 %inc, %i
  br i1 %done.not, label %end3, label %body4
}
