; Matrix product in the order ijk: the same loops from every order.
;
;     void matmul(long n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 for (long k = 0; k < n; k++)
;                     C[i][j] += A[i][k] * B[k][j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function matmul
; CHECK: for (c0 = 0; c0 <= n - 1; c0 += 1) { // parallel
; CHECK-NEXT:   for (c1 = 0; c1 <= n - 1; c1 += 1) { // parallel
; CHECK-NEXT:     hold r0 = C[c0][c1] (load, store) {
; CHECK-NEXT:       for (c2 = 0; c2 <= n - 1; c2 += 1) {
; CHECK-NEXT:         S0: r0 = fmuladd(A[c0][c2], B[c2][c1], r0);
; CHECK-NEXT:       }
; CHECK-NEXT:     }
; CHECK-NEXT:   }
; CHECK-NEXT: }

define void @matmul(i64 %n, ptr noalias %A, ptr noalias %B, ptr noalias %C) {
entry:
  %cmp45 = icmp sgt i64 %n, 0
  br i1 %cmp45, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.046 = phi i64 [ %inc18, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %v0 = mul nuw nsw i64 %i.046, %n
  %p = getelementptr inbounds nuw double, ptr %A, i64 %v0
  %invariant.gep43 = getelementptr double, ptr %C, i64 %v0
  br label %loop5.pre

loop5.pre:
  %j.042 = phi i64 [ 0, %loop1.pre ], [ %inc15, %loop5.end7 ]
  %invariant.gep = getelementptr double, ptr %B, i64 %j.042
  %gep44 = getelementptr double, ptr %invariant.gep43, i64 %j.042
  %gep38.start = load double, ptr %gep44, align 8
  br label %body8

body8:
  %v1 = phi double [ %gep38.start, %loop5.pre ], [ %v5, %body8 ]
  %k.040 = phi i64 [ 0, %loop5.pre ], [ %inc, %body8 ]
  %p9 = getelementptr inbounds nuw double, ptr %p, i64 %k.040
  %v2 = load double, ptr %p9, align 8
  %v3 = mul nuw nsw i64 %k.040, %n
  %gep = getelementptr double, ptr %invariant.gep, i64 %v3
  %v4 = load double, ptr %gep, align 8
  %v5 = call double @llvm.fmuladd.f64(double %v2, double %v4, double %v1)
  %inc = add nuw nsw i64 %k.040, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop5.end7, label %body8

loop5.end7:
  %v = phi double [ %v5, %body8 ]
  store double %v, ptr %gep44, align 8
  %inc15 = add nuw nsw i64 %j.042, 1
  %done47.not = icmp eq i64 %inc15, %n
  br i1 %done47.not, label %loop1.end3, label %loop5.pre

loop1.end3:
  %inc18 = add nuw nsw i64 %i.046, 1
  %done48.not = icmp eq i64 %inc18, %n
  br i1 %done48.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
