; Two products that want different orders of the loops, in one nest: two nests, each in its own order.
;
;     void products(long n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n], double D[restrict n][n]) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 for (long k = 0; k < n; k++) {
;                     C[i][j] += A[i][k] * B[k][j];
;                     D[j][k] += A[j][i] * B[i][k];
;                 }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function products
; CHECK-NEXT: interchanged loops, distributed
; CHECK-NEXT: for (c0 = 0; c0 <= n - 1; c0 += 1) { // parallel
; CHECK-NEXT:   for (c1 = 0; c1 <= n - 1; c1 += 1) { // parallel
; CHECK-NEXT:     hold r0 = C[c0][c1] (load, store) {
; CHECK-NEXT:       for (c2 = 0; c2 <= n - 1; c2 += 1) {
; CHECK-NEXT:         S0: r0 = fmuladd(A[c0][c2], B[c2][c1], r0);
; CHECK-NEXT:       }
; CHECK-NEXT:     }
; CHECK-NEXT:   }
; CHECK-NEXT: }
; CHECK-NEXT: for (c0 = 0; c0 <= n - 1; c0 += 1) { // parallel
; CHECK-NEXT:   for (c1 = 0; c1 <= n - 1; c1 += 1) { // parallel
; CHECK-NEXT:     hold r1 = D[c0][c1] (load, store) {
; CHECK-NEXT:       for (c2 = 0; c2 <= n - 1; c2 += 1) {
; CHECK-NEXT:         S1: r1 = fmuladd(A[c0][c2], B[c2][c1], r1);
; CHECK-NEXT:       }
; CHECK-NEXT:     }
; CHECK-NEXT:   }
; CHECK-NEXT: }

define void @products(i64 %n, ptr noalias %A, ptr noalias %B, ptr noalias %C, ptr noalias %D) {
entry:
  %cmp63 = icmp sgt i64 %n, 0
  br i1 %cmp63, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.064 = phi i64 [ %inc24, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %invariant.gep55 = getelementptr double, ptr %A, i64 %i.064
  %v0 = mul nuw nsw i64 %i.064, %n
  %p = getelementptr inbounds nuw double, ptr %A, i64 %v0
  %invariant.gep61 = getelementptr double, ptr %C, i64 %v0
  %p16 = getelementptr inbounds nuw double, ptr %B, i64 %v0
  br label %loop5.pre

loop5.pre:
  %j.060 = phi i64 [ 0, %loop1.pre ], [ %inc21, %loop5.end7 ]
  %invariant.gep = getelementptr double, ptr %B, i64 %j.060
  %gep62 = getelementptr double, ptr %invariant.gep61, i64 %j.060
  %v1 = mul nuw nsw i64 %j.060, %n
  %gep56 = getelementptr double, ptr %invariant.gep55, i64 %v1
  %v2 = load double, ptr %gep56, align 8
  %p18 = getelementptr inbounds nuw double, ptr %D, i64 %v1
  %gep54.start = load double, ptr %gep62, align 8
  br label %body8

body8:
  %v3 = phi double [ %gep54.start, %loop5.pre ], [ %v7, %body8 ]
  %k.058 = phi i64 [ 0, %loop5.pre ], [ %inc, %body8 ]
  %p9 = getelementptr inbounds nuw double, ptr %p, i64 %k.058
  %v4 = load double, ptr %p9, align 8
  %v5 = mul nuw nsw i64 %k.058, %n
  %gep = getelementptr double, ptr %invariant.gep, i64 %v5
  %v6 = load double, ptr %gep, align 8
  %v7 = call double @llvm.fmuladd.f64(double %v4, double %v6, double %v3)
  %p17 = getelementptr inbounds nuw double, ptr %p16, i64 %k.058
  %v8 = load double, ptr %p17, align 8
  %p19 = getelementptr inbounds nuw double, ptr %p18, i64 %k.058
  %v9 = load double, ptr %p19, align 8
  %v10 = call double @llvm.fmuladd.f64(double %v2, double %v8, double %v9)
  store double %v10, ptr %p19, align 8
  %inc = add nuw nsw i64 %k.058, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop5.end7, label %body8

loop5.end7:
  %v = phi double [ %v7, %body8 ]
  store double %v, ptr %gep62, align 8
  %inc21 = add nuw nsw i64 %j.060, 1
  %done65.not = icmp eq i64 %inc21, %n
  br i1 %done65.not, label %loop1.end3, label %loop5.pre

loop1.end3:
  %inc24 = add nuw nsw i64 %i.064, 1
  %done66.not = icmp eq i64 %inc24, %n
  br i1 %done66.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
