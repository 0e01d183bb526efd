; Right-looking triangular solve with its copy. In column-major layout, flat, and k from 0. The trisolve_ω0 form: A[m][n] is in a register from the copy on and is stored once.
;
;     void trisolve(long M, long N, double *restrict A, double *restrict B, double *restrict U) {
;         for (long m = 0; m < M; m++) {
;             for (long n = 0; n < N; n++)
;                 A[m + n * M] = B[m + n * M];
;             for (long n = 0; n < N; n++) {
;                 A[m + n * M] /= U[n + n * N];
;                 for (long k = 0; k < N - n - 1; k++)
;                     A[m + (k + n + 1) * M] -= A[m + n * M] * U[n + (k + n + 1) * N];
;             }
;         }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function trisolve
; CHECK-NEXT: interchanged loops, fused 3 nests
; CHECK-NEXT: if (1 <= M) {
; CHECK-NEXT:   for (c0 = 0; c0 <= N - 1; c0 += 1) {
; CHECK-NEXT:     hold r0 = U[c0][c0] (load) {
; CHECK-NEXT:       for (c1 = 0; c1 <= M - 1; c1 += 1) { // parallel
; CHECK-NEXT:         hold r1 = A[c0][c1] (store) {
; CHECK-NEXT:           S0: r1 = B[c0][c1];
; CHECK-NEXT:           for (c2 = 0; c2 <= c0 - 1; c2 += 1) {
; CHECK-NEXT:             S1: r1 = fmuladd(-A[c2][c1], U[c0][c2], r1);
; CHECK-NEXT:           }
; CHECK-NEXT:           S2: r1 = (r1 / r0);
; CHECK-NEXT:         }
; CHECK-NEXT:       }
; CHECK-NEXT:     }
; CHECK-NEXT:   }
; CHECK-NEXT: }

define void @trisolve(i64 %M, i64 %N, ptr noalias %A, ptr noalias %B, ptr noalias %U) {
entry:
  %cmp88 = icmp sgt i64 %M, 0
  br i1 %cmp88, label %loop1.pre.lr.ph, label %end

loop1.pre.lr.ph:
  %cmp1086 = icmp sgt i64 %N, 0
  %mul1381 = add i64 %N, 1
  br i1 %cmp1086, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %m.089 = phi i64 [ %inc45, %loop9.end11 ], [ 0, %loop1.pre.pre ]
  br label %body4

body12:
  %i.in = phi i64 [ %N, %loop1.loop9.pre ], [ %i, %end22 ]
  %n8.087 = phi i64 [ 0, %loop1.loop9.pre ], [ %add27, %end22 ]
  %i = add i64 %i.in, -1
  %add14 = mul i64 %n8.087, %mul1381
  %p15 = getelementptr inbounds double, ptr %U, i64 %add14
  %v0 = load double, ptr %p15, align 8
  %mul16 = mul nuw nsw i64 %n8.087, %M
  %p18 = getelementptr double, ptr %v8, i64 %mul16
  %v1 = load double, ptr %p18, align 8
  %div = fdiv double %v1, %v0
  store double %div, ptr %p18, align 8
  %v2 = sub i64 %n8.087, %N
  %cmp2184 = icmp slt i64 %v2, -1
  %add27 = add nuw nsw i64 %n8.087, 1
  br i1 %cmp2184, label %body23.lr.ph, label %end22

end22.1:
  br label %end22

end22:
  %done107.not = icmp eq i64 %add27, %N
  br i1 %done107.not, label %loop9.end11, label %body12

body23:
  %k.085 = phi i64 [ 0, %body23.lr.ph ], [ %inc39, %body23 ]
  %v3 = load double, ptr %p18, align 8
  %add28 = add nuw nsw i64 %add27, %k.085
  %mul29 = mul nuw nsw i64 %add28, %N
  %p31 = getelementptr double, ptr %v9, i64 %mul29
  %v4 = load double, ptr %p31, align 8
  %mul35 = mul nuw nsw i64 %add28, %M
  %p37 = getelementptr double, ptr %v8, i64 %mul35
  %v5 = load double, ptr %p37, align 8
  %neg = fneg double %v3
  %v6 = call double @llvm.fmuladd.f64(double %neg, double %v4, double %v5)
  store double %v6, ptr %p37, align 8
  %inc39 = add nuw nsw i64 %k.085, 1
  %done106.not = icmp eq i64 %inc39, %i
  br i1 %done106.not, label %end22.1, label %body23

body4:
  %n.083 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %mul = mul nuw nsw i64 %n.083, %M
  %add = add nuw nsw i64 %mul, %m.089
  %p = getelementptr inbounds nuw double, ptr %B, i64 %add
  %v7 = load double, ptr %p, align 8
  %p7 = getelementptr inbounds nuw double, ptr %A, i64 %add
  store double %v7, ptr %p7, align 8
  %inc = add nuw nsw i64 %n.083, 1
  %done.not = icmp eq i64 %inc, %N
  br i1 %done.not, label %loop1.loop9.pre, label %body4

loop1.loop9.pre:
  %v8 = getelementptr double, ptr %A, i64 %m.089
  br label %body12

body23.lr.ph:
  %v9 = getelementptr double, ptr %U, i64 %n8.087
  br label %body23

loop9.end11:
  %inc45 = add nuw nsw i64 %m.089, 1
  %done108.not = icmp eq i64 %inc45, %M
  br i1 %done108.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
