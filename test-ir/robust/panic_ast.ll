; A panic in the stage 'ast': the IR is as it was, a remark says so, and the compiler goes on.
;
;     void matmul(long n, double A[n][n], double B[n][n], double C[n][n]) {
;         for (long i = 0; i < n; i++)
;             for (long k = 0; k < n; k++)
;                 for (long j = 0; j < n; j++)
;                     C[i][j] += A[i][k] * B[k][j];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force;panic=ast>' -pass-remarks=loopwright -pass-remarks-missed=loopwright -pass-remarks-output=%t.yaml -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %FileCheck --check-prefix=YAML %s < %t.yaml
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK-NOT: predicted
; CHECK: left the loops as they are: internal error of loopwright, please report it (asked for by the test option 'panic')
; CHECK-NOT: predicted
; YAML: Name: InternalError
; YAML: Function: matmul
define void @matmul(i64 %n, ptr %A, ptr %B, ptr %C) {
entry:
  %cmp43 = icmp sgt i64 %n, 0
  br i1 %cmp43, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.044 = phi i64 [ %inc18, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %v0 = mul nuw nsw i64 %i.044, %n
  %invariant.gep41 = getelementptr double, ptr %A, i64 %v0
  %p12 = getelementptr inbounds nuw double, ptr %C, i64 %v0
  br label %loop5.pre

loop5.pre:
  %k.040 = phi i64 [ 0, %loop1.pre ], [ %inc15, %loop5.end7 ]
  %gep42 = getelementptr double, ptr %invariant.gep41, i64 %k.040
  %v1 = mul nuw nsw i64 %k.040, %n
  %p10 = getelementptr inbounds nuw double, ptr %B, i64 %v1
  br label %body8

body8:
  %j.038 = phi i64 [ 0, %loop5.pre ], [ %inc, %body8 ]
  %v2 = load double, ptr %gep42, align 8
  %p11 = getelementptr inbounds nuw double, ptr %p10, i64 %j.038
  %v3 = load double, ptr %p11, align 8
  %p13 = getelementptr inbounds nuw double, ptr %p12, i64 %j.038
  %v4 = load double, ptr %p13, align 8
  %v5 = call double @llvm.fmuladd.f64(double %v2, double %v3, double %v4)
  store double %v5, ptr %p13, align 8
  %inc = add nuw nsw i64 %j.038, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop5.end7, label %body8

loop5.end7:
  %inc15 = add nuw nsw i64 %k.040, 1
  %done45.not = icmp eq i64 %inc15, %n
  br i1 %done45.not, label %loop1.end3, label %loop5.pre

loop1.end3:
  %inc18 = add nuw nsw i64 %i.044, 1
  %done46.not = icmp eq i64 %inc18, %n
  br i1 %done46.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
