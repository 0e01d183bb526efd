; A flat matrix with int sizes: the products are sign-extended to 64 bits, with nsw.
;
;     void scale(int n, int m, double *restrict A, double f) {
;         for (int i = 0; i < n; i++)
;             for (int j = 0; j < m; j++)
;                 A[i * m + j] *= f;
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function scale
; CHECK-NEXT: params [n, m]
; CHECK-NEXT: context [n, m] -> { [] }
; CHECK-NEXT: array A[][stride 8*m] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= m - 1 }
; CHECK-NEXT:   write A[i0][i1]
; CHECK-NEXT:   read A[i0][i1]
; CHECK-NEXT:   A[i0][i1] = (f * A[i0][i1])

define void @scale(i32 %n, i32 %m, ptr noalias %A, double %f) {
entry:
  %cmp16 = icmp sgt i32 %n, 0
  %cmp214 = icmp sgt i32 %m, 0
  %or.cond = and i1 %cmp16, %cmp214
  br i1 %or.cond, label %loop1.pre.pre, label %end

loop1.pre.pre:
  %v0 = zext nneg i32 %m to i64
  %wide.trip.count25 = zext nneg i32 %n to i64
  br label %loop1.pre

loop1.pre:
  %i21 = phi i64 [ 0, %loop1.pre.pre ], [ %i22.next, %loop1.end3 ]
  %v1 = mul nuw nsw i64 %i21, %v0
  %invariant.gep = getelementptr inbounds nuw double, ptr %A, i64 %v1
  br label %body4

body4:
  %i = phi i64 [ 0, %loop1.pre ], [ %i.next, %body4 ]
  %gep = getelementptr inbounds nuw double, ptr %invariant.gep, i64 %i
  %v2 = load double, ptr %gep, align 8
  %mul5 = fmul double %f, %v2
  store double %mul5, ptr %gep, align 8
  %i.next = add nuw nsw i64 %i, 1
  %done.not = icmp eq i64 %i.next, %v0
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %i22.next = add nuw nsw i64 %i21, 1
  %done26.not = icmp eq i64 %i22.next, %wide.trip.count25
  br i1 %done26.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
