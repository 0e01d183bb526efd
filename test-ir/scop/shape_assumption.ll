; m columns are used in rows of n: the subscript stays in its row only if m <= n, which is checked at run time.
;
;     void f(long m, long n, double A[restrict m][n]) {
;         for (long i = 0; i < m; i++)
;             for (long j = 0; j < m; j++)
;                 A[i][j] += 1.0;
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [m, n]
; CHECK-NEXT: context [m, n] -> { [] : n >= m }
; CHECK-NEXT: check -m + n >= 0
; CHECK-NEXT: array A[][stride 8*n] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [m, n] -> { [i0, i1] : n >= m and i0 >= 0 and i0 <= m - 1 and i1 >= 0 and i1 <= m - 1 }
; CHECK-NEXT:   write A[i0][i1]
; CHECK-NEXT:   read A[i0][i1]
; CHECK-NEXT:   A[i0][i1] = (A[i0][i1] + const)

define void @f(i64 %m, i64 %n, ptr noalias %A) {
entry:
  %cmp17 = icmp sgt i64 %m, 0
  br i1 %cmp17, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.018 = phi i64 [ %inc7, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %v0 = mul nsw i64 %i.018, %n
  %p = getelementptr inbounds double, ptr %A, i64 %v0
  br label %body4

body4:
  %j.016 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %p5 = getelementptr inbounds nuw double, ptr %p, i64 %j.016
  %v1 = load double, ptr %p5, align 8
  %add = fadd double %v1, 1.000000e+00
  store double %add, ptr %p5, align 8
  %inc = add nuw nsw i64 %j.016, 1
  %done.not = icmp eq i64 %inc, %m
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc7 = add nuw nsw i64 %i.018, 1
  %done19.not = icmp eq i64 %inc7, %m
  br i1 %done19.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
