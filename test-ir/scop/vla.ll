; An array whose row length is a parameter gets its dimensions back.
;
;     void matmul(int n, double A[n][n], double B[n][n], double C[n][n]) {
;         for (int i = 0; i < n; i++)
;             for (int j = 0; j < n; j++)
;                 for (int k = 0; k < n; k++)
;                     C[i][j] += A[i][k] * B[k][j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function matmul
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: check C and A do not overlap
; CHECK-NEXT: check C and B do not overlap
; CHECK-NEXT: array C[][stride 8*n] of double
; CHECK-NEXT: array A[][stride 8*n] of double
; CHECK-NEXT: array B[][stride 8*n] of double
; CHECK-NEXT: S0 at [0, 0, 0, 0]
; CHECK-NEXT:   domain [n] -> { [i0, i1, i2] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= n - 1 and i2 >= 0 and i2 <= n - 1 }
; CHECK-NEXT:   write C[i0][i1]
; CHECK-NEXT:   read A[i0][i2]
; CHECK-NEXT:   read B[i2][i1]
; CHECK-NEXT:   read C[i0][i1]
; CHECK-NEXT:   C[i0][i1] = fmuladd(A[i0][i2], B[i2][i1], C[i0][i1])

define void @matmul(i32 %n, ptr %A, ptr %B, ptr %C) {
entry:
  %v0 = zext i32 %n to i64
  %cmp46 = icmp sgt i32 %n, 0
  br i1 %cmp46, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i54 = phi i64 [ %i55.next, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %v1 = mul nuw nsw i64 %i54, %v0
  %p = getelementptr inbounds nuw double, ptr %A, i64 %v1
  %p16 = getelementptr inbounds nuw double, ptr %C, i64 %v1
  br label %loop5.pre

loop5.pre:
  %i49 = phi i64 [ %i50.next, %loop5.end7 ], [ 0, %loop1.pre ]
  %invariant.gep = getelementptr inbounds nuw double, ptr %B, i64 %i49
  %p18 = getelementptr inbounds nuw double, ptr %p16, i64 %i49
  %p18.start = load double, ptr %p18, align 8
  br label %body8

body8:
  %i = phi i64 [ %i.next, %body8 ], [ 0, %loop5.pre ]
  %v2 = phi double [ %v6, %body8 ], [ %p18.start, %loop5.pre ]
  %p10 = getelementptr inbounds nuw double, ptr %p, i64 %i
  %v3 = load double, ptr %p10, align 8
  %v4 = mul nuw nsw i64 %i, %v0
  %gep = getelementptr inbounds nuw double, ptr %invariant.gep, i64 %v4
  %v5 = load double, ptr %gep, align 8
  %v6 = call double @llvm.fmuladd.f64(double %v3, double %v5, double %v2)
  store double %v6, ptr %p18, align 8
  %i.next = add nuw nsw i64 %i, 1
  %done.not = icmp eq i64 %i.next, %v0
  br i1 %done.not, label %loop5.end7, label %body8

loop5.end7:
  %i50.next = add nuw nsw i64 %i49, 1
  %done53.not = icmp eq i64 %i50.next, %v0
  br i1 %done53.not, label %loop1.end3, label %loop5.pre

loop1.end3:
  %i55.next = add nuw nsw i64 %i54, 1
  %done58.not = icmp eq i64 %i55.next, %v0
  br i1 %done58.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
