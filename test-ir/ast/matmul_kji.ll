; Matrix product in the order kji: the same loops from every order.
;
;     void matmul(long n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
;         for (long k = 0; k < n; k++)
;             for (long j = 0; j < n; j++)
;                 for (long i = 0; i < n; i++)
;                     C[i][j] += A[i][k] * B[k][j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function matmul
; CHECK-NEXT: interchanged loops
; CHECK-NEXT: for (c0 = 0; c0 <= n - 1; c0 += 1) { // parallel
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
  %cmp47 = icmp sgt i64 %n, 0
  br i1 %cmp47, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %k.048 = phi i64 [ %inc18, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %invariant.gep = getelementptr double, ptr %A, i64 %k.048
  %v0 = mul nuw nsw i64 %k.048, %n
  %invariant.gep45 = getelementptr double, ptr %B, i64 %v0
  br label %loop5.pre

loop5.pre:
  %j.044 = phi i64 [ 0, %loop1.pre ], [ %inc15, %loop5.end7 ]
  %invariant.gep39 = getelementptr double, ptr %C, i64 %j.044
  %gep46 = getelementptr double, ptr %invariant.gep45, i64 %j.044
  %v1 = load double, ptr %gep46, align 8
  br label %body8

body8:
  %i.042 = phi i64 [ 0, %loop5.pre ], [ %inc, %body8 ]
  %v2 = mul nuw nsw i64 %i.042, %n
  %gep = getelementptr double, ptr %invariant.gep, i64 %v2
  %v3 = load double, ptr %gep, align 8
  %gep40 = getelementptr double, ptr %invariant.gep39, i64 %v2
  %v4 = load double, ptr %gep40, align 8
  %v5 = call double @llvm.fmuladd.f64(double %v3, double %v1, double %v4)
  store double %v5, ptr %gep40, align 8
  %inc = add nuw nsw i64 %i.042, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop5.end7, label %body8

loop5.end7:
  %inc15 = add nuw nsw i64 %j.044, 1
  %done49.not = icmp eq i64 %inc15, %n
  br i1 %done49.not, label %loop1.end3, label %loop5.pre

loop1.end3:
  %inc18 = add nuw nsw i64 %k.048, 1
  %done50.not = icmp eq i64 %inc18, %n
  br i1 %done50.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
