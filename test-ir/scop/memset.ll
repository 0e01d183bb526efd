; A row of zeros that has become memset is a statement over its cells.
;
;     void zero(long n, long m, double A[restrict n][m], double B[restrict m][n]) {
;         for (long i = 0; i < n; i++) {
;             for (long j = 0; j < m; j++)
;                 A[i][j] = 0.0;
;             for (long j = 0; j < m; j++)
;                 A[i][j] += B[j][i];
;         }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function zero
; CHECK-NEXT: params [n, m]
; CHECK-NEXT: context [n, m] -> { [] }
; CHECK-NEXT: array A[][stride 8*m] of double
; CHECK-NEXT: array B[][stride 8*n] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= m - 1 }
; CHECK-NEXT:   write A[i0][i1]
; CHECK-NEXT:   A[i0][i1] = 0
; CHECK-NEXT: S1 at [0, 1, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= m - 1 }
; CHECK-NEXT:   write A[i0][i1]
; CHECK-NEXT:   read B[i1][i0]
; CHECK-NEXT:   read A[i0][i1]
; CHECK-NEXT:   A[i0][i1] = (B[i1][i0] + A[i0][i1])

define void @zero(i64 %n, i64 %m, ptr noalias %A, ptr noalias %B) {
entry:
  %cmp40 = icmp sgt i64 %n, 0
  %cmp838 = icmp sgt i64 %m, 0
  %or.cond = and i1 %cmp40, %cmp838
  br i1 %or.cond, label %loop1.pre.pre, label %end

loop1.pre.pre:
  %v0 = shl i64 %m, 3
  br label %loop1.pre

loop1.pre:
  %i.041 = phi i64 [ %inc19, %loop7.end9 ], [ 0, %loop1.pre.pre ]
  %v1 = mul nuw nsw i64 %v0, %i.041
  %scevgep = getelementptr nuw i8, ptr %A, i64 %v1
  call void @llvm.memset.p0.i64(ptr align 8 %scevgep, i8 0, i64 %v0, i1 false)
  %invariant.gep = getelementptr double, ptr %B, i64 %i.041
  %v2 = mul nuw nsw i64 %i.041, %m
  %p13 = getelementptr inbounds nuw double, ptr %A, i64 %v2
  br label %body10

body10:
  %j6.039 = phi i64 [ 0, %loop1.pre ], [ %inc16, %body10 ]
  %v3 = mul nuw nsw i64 %j6.039, %n
  %gep = getelementptr double, ptr %invariant.gep, i64 %v3
  %v4 = load double, ptr %gep, align 8
  %p14 = getelementptr inbounds nuw double, ptr %p13, i64 %j6.039
  %v5 = load double, ptr %p14, align 8
  %add = fadd double %v4, %v5
  store double %add, ptr %p14, align 8
  %inc16 = add nuw nsw i64 %j6.039, 1
  %done.not = icmp eq i64 %inc16, %m
  br i1 %done.not, label %loop7.end9, label %body10

loop7.end9:
  %inc19 = add nuw nsw i64 %i.041, 1
  %done56.not = icmp eq i64 %inc19, %n
  br i1 %done56.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)
