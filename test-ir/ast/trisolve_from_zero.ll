; Right-looking triangular solve with its copy. k runs from 0, the column is k + n + 1. The trisolve_ω0 form: A[m][n] is in a register from the copy on and is stored once.
;
;     void trisolve(long M, long N, double A[restrict M][N], double B[restrict M][N], double U[restrict N][N]) {
;         for (long m = 0; m < M; m++) {
;             for (long n = 0; n < N; n++)
;                 A[m][n] = B[m][n];
;             for (long n = 0; n < N; n++) {
;                 A[m][n] /= U[n][n];
;                 for (long k = 0; k < N - n - 1; k++)
;                     A[m][k + n + 1] -= A[m][n] * U[n][k + n + 1];
;             }
;         }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function trisolve
; CHECK-NEXT: interchanged loops, fused 3 nests
; CHECK-NEXT: if (1 <= N) {
; CHECK-NEXT:   for (c0 = 0; c0 <= M - 1; c0 += 1) { // parallel
; CHECK-NEXT:     for (c1 = 0; c1 <= N - 1; c1 += 1) {
; CHECK-NEXT:       hold r0 = A[c0][c1] (store) {
; CHECK-NEXT:         S0: r0 = B[c0][c1];
; CHECK-NEXT:         for (c2 = 0; c2 <= c1 - 1; c2 += 1) {
; CHECK-NEXT:           S1: r0 = fmuladd(-A[c0][c2], U[c2][c1], r0);
; CHECK-NEXT:         }
; CHECK-NEXT:         S2: r0 = (r0 / U[c1][c1]);
; CHECK-NEXT:       }
; CHECK-NEXT:     }
; CHECK-NEXT:   }
; CHECK-NEXT: }

define void @trisolve(i64 %M, i64 %N, ptr noalias %A, ptr noalias %B, ptr noalias %U) {
entry:
  %cmp79 = icmp sgt i64 %M, 0
  %cmp1077 = icmp sgt i64 %N, 0
  %or.cond = and i1 %cmp79, %cmp1077
  br i1 %or.cond, label %loop1.pre.pre, label %end

loop1.pre.pre:
  %v0 = shl i64 %N, 3
  br label %loop1.pre

loop1.pre:
  %m.080 = phi i64 [ %inc38, %loop9.end11 ], [ 0, %loop1.pre.pre ]
  %v1 = mul nuw nsw i64 %v0, %m.080
  %scevgep = getelementptr nuw i8, ptr %A, i64 %v1
  %scevgep97 = getelementptr nuw i8, ptr %B, i64 %v1
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %scevgep, ptr align 8 %scevgep97, i64 %v0, i1 false)
  %v2 = mul nuw nsw i64 %m.080, %N
  %p15 = getelementptr inbounds nuw double, ptr %A, i64 %v2
  br label %body12

body12:
  %i.in = phi i64 [ %N, %loop1.pre ], [ %i, %end20 ]
  %n8.078 = phi i64 [ 0, %loop1.pre ], [ %add, %end20 ]
  %i = add i64 %i.in, -1
  %v3 = mul nuw nsw i64 %n8.078, %N
  %p13 = getelementptr inbounds nuw double, ptr %U, i64 %v3
  %p14 = getelementptr inbounds nuw double, ptr %p13, i64 %n8.078
  %v4 = load double, ptr %p14, align 8
  %p16 = getelementptr inbounds nuw double, ptr %p15, i64 %n8.078
  %v5 = load double, ptr %p16, align 8
  %div = fdiv double %v5, %v4
  store double %div, ptr %p16, align 8
  %v6 = sub i64 %n8.078, %N
  %cmp1975 = icmp slt i64 %v6, -1
  %add = add nuw nsw i64 %n8.078, 1
  br i1 %cmp1975, label %body21.pre, label %end20

body21.pre:
  br label %body21

end20.1:
  br label %end20

end20:
  %done98.not = icmp eq i64 %add, %N
  br i1 %done98.not, label %loop9.end11, label %body12

body21:
  %k.076 = phi i64 [ %inc32, %body21 ], [ 0, %body21.pre ]
  %v7 = load double, ptr %p16, align 8
  %add25 = add nuw nsw i64 %add, %k.076
  %p26 = getelementptr inbounds nuw double, ptr %p13, i64 %add25
  %v8 = load double, ptr %p26, align 8
  %p30 = getelementptr inbounds nuw double, ptr %p15, i64 %add25
  %v9 = load double, ptr %p30, align 8
  %neg = fneg double %v7
  %v10 = call double @llvm.fmuladd.f64(double %neg, double %v8, double %v9)
  store double %v10, ptr %p30, align 8
  %inc32 = add nuw nsw i64 %k.076, 1
  %done.not = icmp eq i64 %inc32, %i
  br i1 %done.not, label %end20.1, label %body21

loop9.end11:
  %inc38 = add nuw nsw i64 %m.080, 1
  %done99.not = icmp eq i64 %inc38, %M
  br i1 %done99.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
declare double @llvm.fmuladd.f64(double, double, double)
