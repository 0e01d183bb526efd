; Over the whole square the transposed cell is read and written. Negative twin of symmetric_copy.
;
;     void transpose(long n, double A[n][n]) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 A[i][j] = A[j][i] + 1.0;
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-dependences>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function transpose
; CHECK-NEXT: flow S0 -> S0 on A level 0: [n] -> { [t0, t1, s0, s1] : t1 = s0 and t0 = s1 and t0 <= n - 1 and t1 >= 0 and t0 >= t1 + 1 }
; CHECK-NEXT: anti S0 -> S0 on A level 0: [n] -> { [t0, t1, s0, s1] : t1 = s0 and t0 = s1 and t0 <= n - 1 and t1 >= 0 and t0 >= t1 + 1 }

define void @transpose(i64 %n, ptr %A) {
entry:
  %cmp23 = icmp sgt i64 %n, 0
  br i1 %cmp23, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.024 = phi i64 [ %inc9, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %invariant.gep = getelementptr double, ptr %A, i64 %i.024
  %v0 = mul nuw nsw i64 %i.024, %n
  %p6 = getelementptr inbounds nuw double, ptr %A, i64 %v0
  br label %body4

body4:
  %j.022 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %v1 = mul nuw nsw i64 %j.022, %n
  %gep = getelementptr double, ptr %invariant.gep, i64 %v1
  %v2 = load double, ptr %gep, align 8
  %add = fadd double %v2, 1.000000e+00
  %p7 = getelementptr inbounds nuw double, ptr %p6, i64 %j.022
  store double %add, ptr %p7, align 8
  %inc = add nuw nsw i64 %j.022, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc9 = add nuw nsw i64 %i.024, 1
  %done25.not = icmp eq i64 %inc9, %n
  br i1 %done25.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
