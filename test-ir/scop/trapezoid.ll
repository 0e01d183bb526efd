; Two parameters bound a trapezoid.
;
;     void upper(long n, long m, double A[restrict n][m]) {
;         for (long i = 0; i < n; i++)
;             for (long j = i + 1; j < m; j++)
;                 A[i][j] += A[i][i];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function upper
; CHECK-NEXT: params [n, m]
; CHECK-NEXT: context [n, m] -> { [] }
; CHECK-NEXT: array A[][stride 8*m] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i0 + i1 <= m - 2 }
; CHECK-NEXT:   write A[i0][i0 + i1 + 1]
; CHECK-NEXT:   read A[i0][i0]
; CHECK-NEXT:   read A[i0][i0 + i1 + 1]
; CHECK-NEXT:   A[i0][i0 + i1 + 1] = (A[i0][i0] + A[i0][i0 + i1 + 1])

define void @upper(i64 %n, i64 %m, ptr noalias %A) {
entry:
  %cmp24 = icmp sgt i64 %n, 0
  br i1 %cmp24, label %body.pre, label %end

body.pre:
  br label %body

loop:
  br label %loop.1

loop.1:
  %done26.not = icmp eq i64 %add, %n
  br i1 %done26.not, label %end.1, label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.025 = phi i64 [ %add, %loop.1 ], [ 0, %body.pre ]
  %add = add nuw nsw i64 %i.025, 1
  %cmp222 = icmp slt i64 %add, %m
  br i1 %cmp222, label %body4.lr.ph, label %loop.1

body4.lr.ph:
  %v0 = mul nsw i64 %i.025, %m
  %p = getelementptr inbounds double, ptr %A, i64 %v0
  %p5 = getelementptr inbounds nuw double, ptr %p, i64 %i.025
  br label %body4

body4:
  %j.023 = phi i64 [ %add, %body4.lr.ph ], [ %inc, %body4 ]
  %v1 = load double, ptr %p5, align 8
  %p7 = getelementptr inbounds nuw double, ptr %p, i64 %j.023
  %v2 = load double, ptr %p7, align 8
  %add8 = fadd double %v1, %v2
  store double %add8, ptr %p7, align 8
  %inc = add nuw nsw i64 %j.023, 1
  %done.not = icmp eq i64 %inc, %m
  br i1 %done.not, label %loop, label %body4
}
