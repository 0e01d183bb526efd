; A sum over two loops in a chain of phis, stored behind both.
;
;     void total(long n, long m, long p, double A[restrict n][m][p], double *restrict s) {
;         for (long i = 0; i < n; i++) {
;             double t = 0.0;
;             for (long j = 0; j < m; j++)
;                 for (long k = 0; k < p; k++)
;                     t += A[i][j][k];
;             s[i] = t;
;         }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function total
; CHECK-NEXT: params [n, m, p]
; CHECK-NEXT: context [n, m, p] -> { [] : n >= 1 and m >= 1 and p >= 1 }
; CHECK-NEXT: array s[] of double
; CHECK-NEXT: array A[][stride 8*m*p][stride 8*p] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [n, m, p] -> { [i0] : m >= 1 and p >= 1 and i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   s[i0] = const
; CHECK-NEXT: S1 at [0, 1, 0, 0]
; CHECK-NEXT:   domain [n, m, p] -> { [i0, i1, i2] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= m - 1 and i2 >= 0 and i2 <= p - 1 }
; CHECK-NEXT:   write s[i0]
; CHECK-NEXT:   read s[i0]
; CHECK-NEXT:   read A[i0][i1][i2]
; CHECK-NEXT:   s[i0] = (s[i0] + A[i0][i1][i2])

define void @total(i64 %n, i64 %m, i64 %p, ptr noalias %A, ptr noalias %s) {
entry:
  %cmp37 = icmp sgt i64 %n, 0
  br i1 %cmp37, label %loop1.pre.lr.ph, label %end

loop1.pre.lr.ph:
  %factor.op.mul32 = mul i64 %p, %m
  %cmp233 = icmp sgt i64 %m, 0
  %cmp629 = icmp sgt i64 %p, 0
  %or.cond = and i1 %cmp233, %cmp629
  br i1 %or.cond, label %loop1.pre.pre, label %end.sink

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.038 = phi i64 [ %inc16, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %factor.op.mul.reass = mul i64 %factor.op.mul32, %i.038
  %p.1 = getelementptr inbounds double, ptr %A, i64 %factor.op.mul.reass
  br label %loop5.pre

loop5.pre:
  %j.035 = phi i64 [ 0, %loop1.pre ], [ %inc12, %loop5.end7 ]
  %t.034 = phi double [ 0.000000e+00, %loop1.pre ], [ %add, %loop5.end7 ]
  %v0 = mul nuw nsw i64 %j.035, %p
  %p9 = getelementptr inbounds nuw double, ptr %p.1, i64 %v0
  br label %body8

body8:
  %k.031 = phi i64 [ 0, %loop5.pre ], [ %inc, %body8 ]
  %t.130 = phi double [ %t.034, %loop5.pre ], [ %add.1, %body8 ]
  %p10 = getelementptr inbounds nuw double, ptr %p9, i64 %k.031
  %v1 = load double, ptr %p10, align 8
  %add.1 = fadd double %t.130, %v1
  %inc = add nuw nsw i64 %k.031, 1
  %done.not = icmp eq i64 %inc, %p
  br i1 %done.not, label %loop5.end7, label %body8

loop5.end7:
  %add = phi double [ %add.1, %body8 ]
  %inc12 = add nuw nsw i64 %j.035, 1
  %done47.not = icmp eq i64 %inc12, %m
  br i1 %done47.not, label %loop1.end3, label %loop5.pre

loop1.end3:
  %add.2 = phi double [ %add, %loop5.end7 ]
  %p14 = getelementptr inbounds nuw double, ptr %s, i64 %i.038
  store double %add.2, ptr %p14, align 8
  %inc16 = add nuw nsw i64 %i.038, 1
  %done48.not = icmp eq i64 %inc16, %n
  br i1 %done48.not, label %end.1, label %loop1.pre

end.sink:
  %v2 = shl nuw i64 %n, 3
  call void @llvm.memset.p0.i64(ptr align 8 %s, i8 0, i64 %v2, i1 false)
  br label %end

end.1:
  br label %end

end:
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)
