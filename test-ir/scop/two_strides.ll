; A view with two strides that nobody knows: cells with different subscripts are different if one stride leads over what the other one may.
;
;     void f(long n, long m, long r, long c, double *restrict A) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < m; j++)
;                 A[i * r + j * c] += 1.0;
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n, m, r, c]
; CHECK-NEXT: context [n, m, r, c] -> { [] }
; CHECK-NEXT: check 8*c - 8*n*r >= 0 and 8*r - 8 >= 0, or 8*r - 8*m*c >= 0 and 8*c - 8 >= 0
; CHECK-NEXT: array A[][stride 8*c][stride 8*r] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n, m, r, c] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= m - 1 }
; CHECK-NEXT:   write A[i1][i0][0]
; CHECK-NEXT:   read A[i1][i0][0]
; CHECK-NEXT:   A[i1][i0][0] = (A[i1][i0][0] + const)

define void @f(i64 %n, i64 %m, i64 %r, i64 %c, ptr noalias %A) {
entry:
  %some = icmp sgt i64 %n, 0
  %columns = icmp sgt i64 %m, 0
  %runs = and i1 %some, %columns
  br i1 %runs, label %pre, label %end

pre:
  br label %loop

loop:
  %i = phi i64 [ 0, %pre ], [ %i.next, %next ]
  %ir = mul nsw i64 %i, %r
  %row = getelementptr double, ptr %A, i64 %ir
  br label %body

body:
  %j = phi i64 [ 0, %loop ], [ %j.next, %body ]
  %jc = mul nsw i64 %j, %c
  %p = getelementptr double, ptr %row, i64 %jc
  %v = load double, ptr %p, align 8
  %sum = fadd double %v, 1.0
  store double %sum, ptr %p, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %m
  br i1 %j.done, label %next, label %body

next:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %end.1, label %loop

end.1:
  br label %end

end:
  ret void
}
