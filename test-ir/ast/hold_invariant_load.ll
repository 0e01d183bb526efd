; A load that the innermost loop does not change is done before it.
;
;     void syr(long n, double A[restrict n][n], double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 A[i][j] += x[i] * y[j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function syr
; CHECK: for (c0 = 0; c0 <= n - 1; c0 += 1) { // parallel
; CHECK-NEXT:   hold r0 = x[c0] (load) {
; CHECK-NEXT:     for (c1 = 0; c1 <= n - 1; c1 += 1) { // parallel
; CHECK-NEXT:       S0: A[c0][c1] = fmuladd(r0, y[c1], A[c0][c1]);
; CHECK-NEXT:     }
; CHECK-NEXT:   }
; CHECK-NEXT: }

define void @syr(i64 %n, ptr noalias %A, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp22 = icmp sgt i64 %n, 0
  br i1 %cmp22, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.023 = phi i64 [ %inc9, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.023
  %v0 = load double, ptr %p, align 8
  %v1 = mul nuw nsw i64 %i.023, %n
  %p6 = getelementptr inbounds nuw double, ptr %A, i64 %v1
  br label %body4

body4:
  %j.021 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %p5 = getelementptr inbounds nuw double, ptr %y, i64 %j.021
  %v2 = load double, ptr %p5, align 8
  %p7 = getelementptr inbounds nuw double, ptr %p6, i64 %j.021
  %v3 = load double, ptr %p7, align 8
  %v4 = call double @llvm.fmuladd.f64(double %v0, double %v2, double %v3)
  store double %v4, ptr %p7, align 8
  %inc = add nuw nsw i64 %j.021, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc9 = add nuw nsw i64 %i.023, 1
  %done24.not = icmp eq i64 %inc9, %n
  br i1 %done24.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
