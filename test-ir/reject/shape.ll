; Rows of n and rows of m of one array: no dimensions fit both. A row for itself has one dimension, and starts at a product of sizes.
;
;     void f(long n, long m, double *restrict A) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < m; j++)
;                 A[i * n + j] += A[i * m + j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: refused: Shape: the dimensions of an array could not be recovered from its subscripts (8*i1 + 8*i0*n)
; CHECK-NEXT: params [n, m, i_024, q3, q4]
; CHECK-NEXT: context [n, m, i_024, q3, q4] -> { [] : n >= 1 and m >= 1 and i_024 >= 0 }
; CHECK-NEXT: array A[] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [n, m, i_024, q3, q4] -> { [i0] : n >= 1 and i_024 >= 0 and i0 >= 0 and i0 <= m - 1 }
; CHECK-NEXT:   write A[i0 + q4]
; CHECK-NEXT:   read A[i0 + q3]
; CHECK-NEXT:   read A[i0 + q4]
; CHECK-NEXT:   A[i0 + q4] = (A[i0 + q3] + A[i0 + q4])

define void @f(i64 %n, i64 %m, ptr noalias %A) {
entry:
  %cmp23 = icmp sgt i64 %n, 0
  %cmp221 = icmp sgt i64 %m, 0
  %or.cond = and i1 %cmp23, %cmp221
  br i1 %or.cond, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.024 = phi i64 [ %inc10, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %mul = mul nuw nsw i64 %i.024, %m
  %v0 = getelementptr double, ptr %A, i64 %mul
  %mul5 = mul nuw nsw i64 %i.024, %n
  %v1 = getelementptr double, ptr %A, i64 %mul5
  br label %body4

body4:
  %j.022 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %p = getelementptr double, ptr %v0, i64 %j.022
  %v2 = load double, ptr %p, align 8
  %p7 = getelementptr double, ptr %v1, i64 %j.022
  %v3 = load double, ptr %p7, align 8
  %add8 = fadd double %v2, %v3
  store double %add8, ptr %p7, align 8
  %inc = add nuw nsw i64 %j.022, 1
  %done.not = icmp eq i64 %inc, %m
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc10 = add nuw nsw i64 %i.024, 1
  %done26.not = icmp eq i64 %inc10, %n
  br i1 %done26.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
