; Right-looking triangular solve with its copy. In column-major layout, flat. The trisolve_ω0 form: A[m][n] is in a register from the copy on and is stored once.
;
;     void trisolve(long M, long N, double *restrict A, double *restrict B, double *restrict U) {
;         for (long m = 0; m < M; m++) {
;             for (long n = 0; n < N; n++)
;                 A[m + n * M] = B[m + n * M];
;             for (long n = 0; n < N; n++) {
;                 A[m + n * M] /= U[n + n * N];
;                 for (long k = n + 1; k < N; k++)
;                     A[m + k * M] -= A[m + n * M] * U[n + k * N];
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
  %cmp82 = icmp sgt i64 %M, 0
  br i1 %cmp82, label %loop1.pre.lr.ph, label %end

loop1.pre.lr.ph:
  %cmp1080 = icmp sgt i64 %N, 0
  %mul1375 = add i64 %N, 1
  br i1 %cmp1080, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %m.083 = phi i64 [ %inc41, %loop9.end11 ], [ 0, %loop1.pre.pre ]
  br label %body4

body12:
  %n8.081 = phi i64 [ 0, %loop1.loop9.pre ], [ %add19, %loop9 ]
  %add14 = mul i64 %n8.081, %mul1375
  %p15 = getelementptr inbounds double, ptr %U, i64 %add14
  %v0 = load double, ptr %p15, align 8
  %mul16 = mul nuw nsw i64 %n8.081, %M
  %p18 = getelementptr double, ptr %v7, i64 %mul16
  %v1 = load double, ptr %p18, align 8
  %div = fdiv double %v1, %v0
  store double %div, ptr %p18, align 8
  %add19 = add nuw nsw i64 %n8.081, 1
  %cmp2178 = icmp slt i64 %add19, %N
  br i1 %cmp2178, label %body23.lr.ph, label %loop9

body23:
  %k.079 = phi i64 [ %add19, %body23.lr.ph ], [ %inc35, %body23 ]
  %v2 = load double, ptr %p18, align 8
  %mul27 = mul nuw nsw i64 %k.079, %N
  %p29 = getelementptr double, ptr %v8, i64 %mul27
  %v3 = load double, ptr %p29, align 8
  %mul31 = mul nuw nsw i64 %k.079, %M
  %p33 = getelementptr double, ptr %v7, i64 %mul31
  %v4 = load double, ptr %p33, align 8
  %neg = fneg double %v2
  %v5 = call double @llvm.fmuladd.f64(double %neg, double %v3, double %v4)
  store double %v5, ptr %p33, align 8
  %inc35 = add nuw nsw i64 %k.079, 1
  %done100.not = icmp eq i64 %inc35, %N
  br i1 %done100.not, label %loop9.1, label %body23

body4:
  %n.077 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %mul = mul nuw nsw i64 %n.077, %M
  %add = add nuw nsw i64 %mul, %m.083
  %p = getelementptr inbounds nuw double, ptr %B, i64 %add
  %v6 = load double, ptr %p, align 8
  %p7 = getelementptr inbounds nuw double, ptr %A, i64 %add
  store double %v6, ptr %p7, align 8
  %inc = add nuw nsw i64 %n.077, 1
  %done.not = icmp eq i64 %inc, %N
  br i1 %done.not, label %loop1.loop9.pre, label %body4

loop9.1:
  br label %loop9

loop9:
  %done101.not = icmp eq i64 %add19, %N
  br i1 %done101.not, label %loop9.end11, label %body12

loop1.loop9.pre:
  %v7 = getelementptr double, ptr %A, i64 %m.083
  br label %body12

body23.lr.ph:
  %v8 = getelementptr double, ptr %U, i64 %n8.081
  br label %body23

loop9.end11:
  %inc41 = add nuw nsw i64 %m.083, 1
  %done102.not = icmp eq i64 %inc41, %M
  br i1 %done102.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
