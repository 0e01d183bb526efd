; 32-bit unsigned i * n + k may wrap around: that n * n is less than 2^31 is checked at run time.
;
;     void f(unsigned n, double *restrict A, double *restrict x) {
;         for (unsigned i = 0; i < n; i++)
;             for (unsigned k = 0; k < n; k++)
;                 A[i * n + k] += x[k];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] : n >= 1 }
; CHECK-NEXT: check n - 1 >= 0
; CHECK-NEXT: check -n*n + 2147483648 >= 0
; CHECK-NEXT: array A[][stride 8*n] of double
; CHECK-NEXT: array x[] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= n - 1 }
; CHECK-NEXT:   write A[i0][i1]
; CHECK-NEXT:   read x[i1]
; CHECK-NEXT:   read A[i0][i1]
; CHECK-NEXT:   A[i0][i1] = (x[i1] + A[i0][i1])

define void @f(i32 %n, ptr noalias %A, ptr noalias %x) {
entry:
  %cmp19.not = icmp eq i32 %n, 0
  br i1 %cmp19.not, label %end, label %loop1.pre.pre

loop1.pre.pre:
  %wide.trip.count = zext i32 %n to i64
  br label %loop1.pre

loop1.pre:
  %i.020 = phi i32 [ %inc9, %end3 ], [ 0, %loop1.pre.pre ]
  %mul = mul i32 %i.020, %n
  br label %body4

end.1:
  br label %end

end:
  ret void

end3:
  %inc9 = add nuw i32 %i.020, 1
  %done22.not = icmp eq i32 %inc9, %n
  br i1 %done22.not, label %end.1, label %loop1.pre

body4:
  %i = phi i64 [ 0, %loop1.pre ], [ %i.next, %body4 ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i
  %v0 = load double, ptr %p, align 8
  %v1 = trunc nuw i64 %i to i32
  %add = add i32 %mul, %v1
  %idxprom5 = zext i32 %add to i64
  %p6 = getelementptr inbounds nuw double, ptr %A, i64 %idxprom5
  %v2 = load double, ptr %p6, align 8
  %add7 = fadd double %v0, %v2
  store double %add7, ptr %p6, align 8
  %i.next = add nuw nsw i64 %i, 1
  %done.not = icmp eq i64 %i.next, %wide.trip.count
  br i1 %done.not, label %end3, label %body4
}
