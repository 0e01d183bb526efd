; Rows of n and rows of m of one array: no dimensions fit both.
;
;     void f(long n, long m, double *restrict A) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < m; j++)
;                 A[i * n + j] += A[i * m + j];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the dimensions of an array could not be recovered
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
