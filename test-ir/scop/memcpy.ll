; A row copy that loop idiom recognition has turned into memcpy is a statement over its cells.
;
;     void copy(long n, long m, double A[restrict n][m], double B[restrict n][m]) {
;         for (long i = 0; i < n; i++) {
;             for (long j = 0; j < m; j++)
;                 A[i][j] = B[i][j];
;             for (long j = 0; j < m; j++)
;                 A[i][j] += A[0][j];
;         }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function copy
; CHECK-NEXT: params [n, m]
; CHECK-NEXT: context [n, m] -> { [] }
; CHECK-NEXT: array A[][stride 8*m] of double
; CHECK-NEXT: array B[][stride 8*m] of i64
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= m - 1 }
; CHECK-NEXT:   write A[i0][i1]
; CHECK-NEXT:   read B[i0][i1]
; CHECK-NEXT:   A[i0][i1] = B[i0][i1]
; CHECK-NEXT: S1 at [0, 1, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= m - 1 }
; CHECK-NEXT:   write A[i0][i1]
; CHECK-NEXT:   read A[0][i1]
; CHECK-NEXT:   read A[i0][i1]
; CHECK-NEXT:   A[i0][i1] = (A[0][i1] + A[i0][i1])

define void @copy(i64 %n, i64 %m, ptr noalias %A, ptr noalias %B) {
entry:
  %cmp44 = icmp sgt i64 %n, 0
  %cmp1042 = icmp sgt i64 %m, 0
  %or.cond = and i1 %cmp44, %cmp1042
  br i1 %or.cond, label %loop1.pre.pre, label %end

loop1.pre.pre:
  %v0 = shl i64 %m, 3
  br label %loop1.pre

loop1.pre:
  %i.045 = phi i64 [ %inc21, %loop9.end11 ], [ 0, %loop1.pre.pre ]
  %v1 = mul nuw nsw i64 %v0, %i.045
  %scevgep = getelementptr nuw i8, ptr %A, i64 %v1
  %scevgep62 = getelementptr nuw i8, ptr %B, i64 %v1
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %scevgep, ptr align 8 %scevgep62, i64 %v0, i1 false)
  %v2 = mul nuw nsw i64 %i.045, %m
  %p15 = getelementptr inbounds nuw double, ptr %A, i64 %v2
  br label %body12

body12:
  %j8.043 = phi i64 [ 0, %loop1.pre ], [ %inc18, %body12 ]
  %p14 = getelementptr inbounds nuw double, ptr %A, i64 %j8.043
  %v3 = load double, ptr %p14, align 8
  %p16 = getelementptr inbounds nuw double, ptr %p15, i64 %j8.043
  %v4 = load double, ptr %p16, align 8
  %add = fadd double %v3, %v4
  store double %add, ptr %p16, align 8
  %inc18 = add nuw nsw i64 %j8.043, 1
  %done.not = icmp eq i64 %inc18, %m
  br i1 %done.not, label %loop9.end11, label %body12

loop9.end11:
  %inc21 = add nuw nsw i64 %i.045, 1
  %done63.not = icmp eq i64 %inc21, %n
  br i1 %done63.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1 immarg)
