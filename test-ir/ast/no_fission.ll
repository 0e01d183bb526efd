; Two products with a vector that read the same matrix in the same order stay in one nest. Negative twin of fission.
;
;     void products(long n, long m, double A[restrict n][m], double *restrict x, double *restrict y, double *restrict z, double *restrict w) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < m; j++) {
;                 y[i] += A[i][j] * x[j];
;                 z[j] += A[i][j] * w[i];
;             }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function products
; CHECK: if (1 <= m) {
; CHECK-NEXT:   for (c0 = 0; c0 <= n - 1; c0 += 1) {
; CHECK-NEXT:     hold r0 = y[c0] (load, store) {
; CHECK-NEXT:       hold r1 = w[c0] (load) {
; CHECK-NEXT:         for (c1 = 0; c1 <= m - 1; c1 += 1) {
; CHECK-NEXT:           S0: r0 = fmuladd(A[c0][c1], x[c1], r0);
; CHECK-NEXT:           S1: z[c1] = fmuladd(A[c0][c1], r1, z[c1]);
; CHECK-NEXT:         }
; CHECK-NEXT:       }
; CHECK-NEXT:     }
; CHECK-NEXT:   }
; CHECK-NEXT: }

define void @products(i64 %n, i64 %m, ptr noalias %A, ptr noalias %x, ptr noalias %y, ptr noalias %z, ptr noalias %w) {
entry:
  %cmp30 = icmp sgt i64 %n, 0
  %cmp228 = icmp sgt i64 %m, 0
  %or.cond = and i1 %cmp30, %cmp228
  br i1 %or.cond, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.031 = phi i64 [ %inc13, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %v0 = mul nuw nsw i64 %i.031, %m
  %p = getelementptr inbounds nuw double, ptr %A, i64 %v0
  %p7 = getelementptr inbounds nuw double, ptr %y, i64 %i.031
  %p10 = getelementptr inbounds nuw double, ptr %w, i64 %i.031
  %v1 = load double, ptr %p10, align 8
  %p7.start = load double, ptr %p7, align 8
  br label %body4

body4:
  %v2 = phi double [ %p7.start, %loop1.pre ], [ %v5, %body4 ]
  %j.029 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %p5 = getelementptr inbounds nuw double, ptr %p, i64 %j.029
  %v3 = load double, ptr %p5, align 8
  %p6 = getelementptr inbounds nuw double, ptr %x, i64 %j.029
  %v4 = load double, ptr %p6, align 8
  %v5 = call double @llvm.fmuladd.f64(double %v3, double %v4, double %v2)
  %p11 = getelementptr inbounds nuw double, ptr %z, i64 %j.029
  %v6 = load double, ptr %p11, align 8
  %v7 = call double @llvm.fmuladd.f64(double %v3, double %v1, double %v6)
  store double %v7, ptr %p11, align 8
  %inc = add nuw nsw i64 %j.029, 1
  %done.not = icmp eq i64 %inc, %m
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %v = phi double [ %v5, %body4 ]
  store double %v, ptr %p7, align 8
  %inc13 = add nuw nsw i64 %i.031, 1
  %done33.not = icmp eq i64 %inc13, %n
  br i1 %done33.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
