; LICM has put s[i] into a register: the phi is the cell, its start a statement before the loop.
;
;     void rows(long n, long m, double A[restrict n][m], double *restrict s) {
;         for (long i = 0; i < n; i++) {
;             double t = 0.0;
;             for (long j = 0; j < m; j++)
;                 t += A[i][j];
;             s[i] = t;
;         }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function rows
; CHECK-NEXT: params [n, m]
; CHECK-NEXT: context [n, m] -> { [] }
; CHECK-NEXT: array s[] of double
; CHECK-NEXT: array A[][stride 8*m] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0] : m >= 1 and i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   s[i0] = const
; CHECK-NEXT: S1 at [0, 1, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= m - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   read s[i0]
; CHECK-NEXT:   read A[i0][i1]
; CHECK-NEXT:   s[i0] = (s[i0] + A[i0][i1])
; CHECK-NEXT: S2 at [1, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0] : m <= 0 and i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   s[i0] = 0

define void @rows(i64 %n, i64 %m, ptr noalias %A, ptr noalias %s) {
entry:
  %cmp21 = icmp sgt i64 %n, 0
  br i1 %cmp21, label %loop1.pre.lr.ph, label %end

loop1.pre.lr.ph:
  %cmp218 = icmp sgt i64 %m, 0
  br i1 %cmp218, label %loop1.pre.pre, label %loop1.pre.pre.1

loop1.pre.pre:
  br label %loop1.pre

loop1.pre.pre.1:
  %v0 = shl nuw i64 %n, 3
  call void @llvm.memset.p0.i64(ptr align 8 %s, i8 0, i64 %v0, i1 false)
  br label %end

loop1.pre:
  %i.022 = phi i64 [ %inc8, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %v1 = mul nuw nsw i64 %i.022, %m
  %p = getelementptr inbounds nuw double, ptr %A, i64 %v1
  br label %body4

body4:
  %j.020 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %t.019 = phi double [ 0.000000e+00, %loop1.pre ], [ %add, %body4 ]
  %p5 = getelementptr inbounds nuw double, ptr %p, i64 %j.020
  %v2 = load double, ptr %p5, align 8
  %add = fadd double %t.019, %v2
  %inc = add nuw nsw i64 %j.020, 1
  %done.not = icmp eq i64 %inc, %m
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %add.1 = phi double [ %add, %body4 ]
  %p6 = getelementptr inbounds nuw double, ptr %s, i64 %i.022
  store double %add.1, ptr %p6, align 8
  %inc8 = add nuw nsw i64 %i.022, 1
  %done24.not = icmp eq i64 %inc8, %n
  br i1 %done24.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)
