; The reduction starts with what the cell holds: no statement for the start.
;
;     void rows(long n, long m, double A[restrict n][m], double *restrict s) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < m; j++)
;                 s[i] += A[i][j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function rows
; CHECK-NEXT: params [n, m]
; CHECK-NEXT: context [n, m] -> { [] }
; CHECK-NEXT: array s[] of double
; CHECK-NEXT: array A[][stride 8*m] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= m - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   read A[i0][i1]
; CHECK-NEXT:   read s[i0]
; CHECK-NEXT:   s[i0] = (A[i0][i1] + s[i0])

define void @rows(i64 %n, i64 %m, ptr noalias %A, ptr noalias %s) {
entry:
  %cmp20 = icmp sgt i64 %n, 0
  %cmp217 = icmp sgt i64 %m, 0
  %or.cond = and i1 %cmp20, %cmp217
  br i1 %or.cond, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.021 = phi i64 [ %inc8, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %v0 = mul nuw nsw i64 %i.021, %m
  %p = getelementptr inbounds nuw double, ptr %A, i64 %v0
  %p6 = getelementptr inbounds nuw double, ptr %s, i64 %i.021
  %p6.start = load double, ptr %p6, align 8
  br label %body4

body4:
  %add19 = phi double [ %p6.start, %loop1.pre ], [ %add, %body4 ]
  %j.018 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %p5 = getelementptr inbounds nuw double, ptr %p, i64 %j.018
  %v1 = load double, ptr %p5, align 8
  %add = fadd double %v1, %add19
  %inc = add nuw nsw i64 %j.018, 1
  %done.not = icmp eq i64 %inc, %m
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %add.1 = phi double [ %add, %body4 ]
  store double %add.1, ptr %p6, align 8
  %inc8 = add nuw nsw i64 %i.021, 1
  %done23.not = icmp eq i64 %inc8, %n
  br i1 %done23.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
