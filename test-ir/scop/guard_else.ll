; Both branches of an affine condition: two statements over the two halves of the domain.
;
;     void f(long n, double A[restrict n][n]) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++) {
;                 if (j < i)
;                     A[i][j] = 1.0;
;                 else
;                     A[j][i] = A[i][j] + 2.0;
;             }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: array A[][stride 8*n] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n] -> { [i0, i1] : i0 <= n - 1 and i1 >= 0 and i0 >= i1 + 1 }
; CHECK-NEXT:   write A[i0][i1]
; CHECK-NEXT:   A[i0][i1] = const
; CHECK-NEXT: S1 at [0, 0, 1]
; CHECK-NEXT:   domain [n] -> { [i0, i1] : i0 >= 0 and i1 >= i0 and i1 <= n - 1 }
; CHECK-NEXT:   write A[i1][i0]
; CHECK-NEXT:   read A[i0][i1]
; CHECK-NEXT:   A[i1][i0] = (A[i0][i1] + const)

define void @f(i64 %n, ptr noalias %A) {
entry:
  %cmp31 = icmp sgt i64 %n, 0
  br i1 %cmp31, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.032 = phi i64 [ %inc12, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %invariant.gep = getelementptr double, ptr %A, i64 %i.032
  %v0 = mul nuw nsw i64 %i.032, %n
  %p7 = getelementptr inbounds nuw double, ptr %A, i64 %v0
  br label %body4

body4:
  %j.030 = phi i64 [ 0, %loop1.pre ], [ %inc, %for.inc ]
  %cmp5 = icmp samesign ult i64 %j.030, %i.032
  %p6 = getelementptr inbounds nuw double, ptr %p7, i64 %j.030
  br i1 %cmp5, label %if.then, label %if.else

if.else:
  %v1 = load double, ptr %p6, align 8
  %add = fadd double %v1, 2.000000e+00
  %v2 = mul nuw nsw i64 %j.030, %n
  %gep = getelementptr double, ptr %invariant.gep, i64 %v2
  store double %add, ptr %gep, align 8
  br label %for.inc

if.then:
  store double 1.000000e+00, ptr %p6, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %j.030, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc12 = add nuw nsw i64 %i.032, 1
  %done33.not = icmp eq i64 %inc12, %n
  br i1 %done33.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
