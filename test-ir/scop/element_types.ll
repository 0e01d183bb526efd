; Cells of float, int and 16 bits.
;
;     void f(long n, float *restrict x, int *restrict y, short *restrict z) {
;         for (long i = 0; i < n; i++) {
;             x[i] += 1.0f;
;             y[i] *= 3;
;             z[i] ^= 5;
;         }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: array x[] of float
; CHECK-NEXT: array y[] of i32
; CHECK-NEXT: array z[] of i16
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write x[i0]
; CHECK-NEXT:   read x[i0]
; CHECK-NEXT:   x[i0] = (x[i0] + const)
; CHECK-NEXT: S1 at [0, 1]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write y[i0]
; CHECK-NEXT:   read y[i0]
; CHECK-NEXT:   y[i0] = (y[i0] * 3)
; CHECK-NEXT: S2 at [0, 2]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write z[i0]
; CHECK-NEXT:   read z[i0]
; CHECK-NEXT:   z[i0] = xor(z[i0], 5)

define void @f(i64 %n, ptr noalias %x, ptr noalias %y, ptr noalias %z) {
entry:
  %cmp8 = icmp sgt i64 %n, 0
  br i1 %cmp8, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.09 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %p = getelementptr inbounds nuw float, ptr %x, i64 %i.09
  %v0 = load float, ptr %p, align 4
  %add = fadd float %v0, 1.000000e+00
  store float %add, ptr %p, align 4
  %p1 = getelementptr inbounds nuw i32, ptr %y, i64 %i.09
  %v1 = load i32, ptr %p1, align 4
  %mul = mul nsw i32 %v1, 3
  store i32 %mul, ptr %p1, align 4
  %p2 = getelementptr inbounds nuw i16, ptr %z, i64 %i.09
  %v2 = load i16, ptr %p2, align 2
  %v3 = xor i16 %v2, 5
  store i16 %v3, ptr %p2, align 2
  %inc = add nuw nsw i64 %i.09, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
