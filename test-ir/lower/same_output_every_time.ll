; The same input gives the same output, also from a random schedule of the same seed.
;
;     void two(long n, double A[n][n], double B[n][n], double C[n][n], double *x) {
;         for (long i = 0; i < n; i++)
;             for (long k = 0; k < n; k++)
;                 for (long j = 0; j < n; j++)
;                     C[i][j] += A[i][k] * B[k][j];
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 x[i] += C[i][j];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %s -o %t.1.ll
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %s -o %t.2.ll
; RUN: diff %t.1.ll %t.2.ll
; RUN: %loopwright-opt -passes='loopwright<policy=random;seed=7>' -S %s -o %t.1.ll
; RUN: %loopwright-opt -passes='loopwright<policy=random;seed=7>' -S %s -o %t.2.ll
; RUN: diff %t.1.ll %t.2.ll
; RUN: %FileCheck %s < %t.1.ll

; CHECK: lw.loop:
define void @two(i64 %n, ptr %A, ptr %B, ptr %C, ptr %x) {
entry:
  %cmp70 = icmp sgt i64 %n, 0
  br i1 %cmp70, label %loop1.pre.pre, label %end23

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.071 = phi i64 [ %inc18, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %v0 = mul nuw nsw i64 %i.071, %n
  %invariant.gep68 = getelementptr double, ptr %A, i64 %v0
  %p12 = getelementptr inbounds nuw double, ptr %C, i64 %v0
  br label %loop5.pre

loop5.pre:
  %k.067 = phi i64 [ 0, %loop1.pre ], [ %inc15, %loop5.end7 ]
  %gep69 = getelementptr double, ptr %invariant.gep68, i64 %k.067
  %v1 = mul nuw nsw i64 %k.067, %n
  %p10 = getelementptr inbounds nuw double, ptr %B, i64 %v1
  br label %body8

body8:
  %j.065 = phi i64 [ 0, %loop5.pre ], [ %inc, %body8 ]
  %v2 = load double, ptr %gep69, align 8
  %p11 = getelementptr inbounds nuw double, ptr %p10, i64 %j.065
  %v3 = load double, ptr %p11, align 8
  %p13 = getelementptr inbounds nuw double, ptr %p12, i64 %j.065
  %v4 = load double, ptr %p13, align 8
  %v5 = call double @llvm.fmuladd.f64(double %v2, double %v3, double %v4)
  store double %v5, ptr %p13, align 8
  %inc = add nuw nsw i64 %j.065, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop5.end7, label %body8

loop5.end7:
  %inc15 = add nuw nsw i64 %k.067, 1
  %done77.not = icmp eq i64 %inc15, %n
  br i1 %done77.not, label %loop1.end3, label %loop5.pre

loop1.end3:
  %inc18 = add nuw nsw i64 %i.071, 1
  %done78.not = icmp eq i64 %inc18, %n
  br i1 %done78.not, label %loop21.pre, label %loop1.pre

loop21.pre:
  br label %loop26.pre

loop26.pre:
  %i20.076 = phi i64 [ %inc37, %loop26.end28 ], [ 0, %loop21.pre ]
  %v6 = mul nuw nsw i64 %i20.076, %n
  %p30 = getelementptr inbounds nuw double, ptr %C, i64 %v6
  %p32 = getelementptr inbounds nuw double, ptr %x, i64 %i20.076
  %p32.start = load double, ptr %p32, align 8
  br label %body29

body29:
  %add74 = phi double [ %p32.start, %loop26.pre ], [ %add, %body29 ]
  %j25.073 = phi i64 [ 0, %loop26.pre ], [ %inc34, %body29 ]
  %p31 = getelementptr inbounds nuw double, ptr %p30, i64 %j25.073
  %v7 = load double, ptr %p31, align 8
  %add = fadd double %v7, %add74
  store double %add, ptr %p32, align 8
  %inc34 = add nuw nsw i64 %j25.073, 1
  %done79.not = icmp eq i64 %inc34, %n
  br i1 %done79.not, label %loop26.end28, label %body29

loop26.end28:
  %inc37 = add nuw nsw i64 %i20.076, 1
  %done80.not = icmp eq i64 %inc37, %n
  br i1 %done80.not, label %end23.1, label %loop26.pre

end23.1:
  br label %end23

end23:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
