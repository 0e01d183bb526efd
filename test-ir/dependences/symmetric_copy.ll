; The upper triangle to the lower: no cell of the one is in the other.
;
;     void symmetric(long n, double A[n][n]) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < i; j++)
;                 A[i][j] = A[j][i];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-dependences>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function symmetric

define void @symmetric(i64 %n, ptr %A) {
entry:
  %cmp23 = icmp sgt i64 %n, 0
  br i1 %cmp23, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.024 = phi i64 [ %inc9, %end3 ], [ 0, %loop1.pre.pre ]
  %invariant.gep = getelementptr double, ptr %A, i64 %i.024
  %cmp221.not = icmp eq i64 %i.024, 0
  br i1 %cmp221.not, label %end3, label %body4.lr.ph

body4.lr.ph:
  %v0 = mul nuw nsw i64 %i.024, %n
  %p6 = getelementptr inbounds nuw double, ptr %A, i64 %v0
  br label %body4

end.1:
  br label %end

end:
  ret void

end3.1:
  br label %end3

end3:
  %inc9 = add nuw nsw i64 %i.024, 1
  %done25.not = icmp eq i64 %inc9, %n
  br i1 %done25.not, label %end.1, label %loop1.pre

body4:
  %j.022 = phi i64 [ 0, %body4.lr.ph ], [ %inc, %body4 ]
  %v1 = mul nuw nsw i64 %j.022, %n
  %gep = getelementptr double, ptr %invariant.gep, i64 %v1
  %v2 = load double, ptr %gep, align 8
  %p7 = getelementptr inbounds nuw double, ptr %p6, i64 %j.022
  store double %v2, ptr %p7, align 8
  %inc = add nuw nsw i64 %j.022, 1
  %done.not = icmp eq i64 %inc, %i.024
  br i1 %done.not, label %end3.1, label %body4
}
