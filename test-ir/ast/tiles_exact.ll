; A size that the tile divides leaves no partial tiles. Negative twin of tiles.
;
;     void matmul(double A[restrict 64][64], double B[restrict 64][64], double C[restrict 64][64]) {
;         for (long i = 0; i < 64; i++)
;             for (long j = 0; j < 64; j++)
;                 for (long k = 0; k < 64; k++)
;                     C[i][j] += A[i][k] * B[k][j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force;tile=8>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function matmul
; CHECK-NEXT: tiled 8x8x8
; CHECK-NEXT: for (c0 = 0; c0 <= 7; c0 += 1) { // tile, parallel
; CHECK-NEXT:   for (c1 = 0; c1 <= 7; c1 += 1) { // tile, parallel
; CHECK-NEXT:     for (c2 = 0; c2 <= 7; c2 += 1) { // tile
; CHECK-NEXT:       for (c3 = 8*c0; c3 <= 8*c0 + 7; c3 += 1) { // parallel
; CHECK-NEXT:         for (c4 = 8*c1; c4 <= 8*c1 + 7; c4 += 1) { // parallel
; CHECK-NEXT:           hold r0 = C[c3][c4] (load, store) {
; CHECK-NEXT:             for (c5 = 8*c2; c5 <= 8*c2 + 7; c5 += 1) {
; CHECK-NEXT:               S0: r0 = fmuladd(A[c3][c5], B[c5][c4], r0);
; CHECK-NEXT:             }
; CHECK-NEXT:           }
; CHECK-NEXT:         }
; CHECK-NEXT:       }
; CHECK-NEXT:     }
; CHECK-NEXT:   }
; CHECK-NEXT: }

define void @matmul(ptr noalias %A, ptr noalias %B, ptr noalias %C) {
entry:
  br label %loop1.pre

loop1.pre:
  %i.031 = phi i64 [ 0, %entry ], [ %inc18, %end3 ]
  %p = getelementptr inbounds nuw [64 x double], ptr %A, i64 %i.031
  %p12 = getelementptr inbounds nuw [64 x double], ptr %C, i64 %i.031
  br label %loop5.pre

end:
  ret void

loop5.pre:
  %j.030 = phi i64 [ 0, %loop1.pre ], [ %inc15, %end7 ]
  %invariant.gep = getelementptr inbounds nuw double, ptr %B, i64 %j.030
  %p13 = getelementptr inbounds nuw double, ptr %p12, i64 %j.030
  %p13.start = load double, ptr %p13, align 8
  br label %body8

end3:
  %inc18 = add nuw nsw i64 %i.031, 1
  %done33.not = icmp eq i64 %inc18, 64
  br i1 %done33.not, label %end, label %loop1.pre

end7:
  %v = phi double [ %v3, %body8 ]
  store double %v, ptr %p13, align 8
  %inc15 = add nuw nsw i64 %j.030, 1
  %done32.not = icmp eq i64 %inc15, 64
  br i1 %done32.not, label %end3, label %loop5.pre

body8:
  %k.029 = phi i64 [ 0, %loop5.pre ], [ %inc, %body8 ]
  %v0 = phi double [ %p13.start, %loop5.pre ], [ %v3, %body8 ]
  %p9 = getelementptr inbounds nuw double, ptr %p, i64 %k.029
  %v1 = load double, ptr %p9, align 8
  %gep = getelementptr inbounds nuw [64 x double], ptr %invariant.gep, i64 %k.029
  %v2 = load double, ptr %gep, align 8
  %v3 = call double @llvm.fmuladd.f64(double %v1, double %v2, double %v0)
  %inc = add nuw nsw i64 %k.029, 1
  %done.not = icmp eq i64 %inc, 64
  br i1 %done.not, label %end7, label %body8
}

declare double @llvm.fmuladd.f64(double, double, double)
