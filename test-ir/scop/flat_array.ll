; A matrix stored flat, with 64-bit index arithmetic: i*n + j becomes two subscripts.
;
;     void scale(long n, long m, double *restrict A, double f) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < m; j++)
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

define void @scale(i64 %n, i64 %m, ptr noalias %A, double %f) {
entry:
  %cmp16 = icmp sgt i64 %n, 0
  %cmp214 = icmp sgt i64 %m, 0
  %or.cond = and i1 %cmp16, %cmp214
  br i1 %or.cond, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.017 = phi i64 [ %inc7, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %mul = mul nuw nsw i64 %i.017, %m
  %v0 = getelementptr double, ptr %A, i64 %mul
  br label %body4

body4:
  %j.015 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %p = getelementptr double, ptr %v0, i64 %j.015
  %v1 = load double, ptr %p, align 8
  %mul5 = fmul double %f, %v1
  store double %mul5, ptr %p, align 8
  %inc = add nuw nsw i64 %j.015, 1
  %done.not = icmp eq i64 %inc, %m
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc7 = add nuw nsw i64 %i.017, 1
  %done19.not = icmp eq i64 %inc7, %n
  br i1 %done19.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
