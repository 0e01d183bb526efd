; 64-bit unsigned i * n may wrap around, and where it does not its quotient is no polynomial.
;
;     void f(unsigned long n, double *restrict A) {
;         for (unsigned long i = 0; i < n; i++)
;             A[i * n / 8] += 1.0;
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: a subscript is not an affine function of the loops
define void @f(i64 %n, ptr noalias %A) {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %end, label %pre

pre:
  br label %body

body:
  %i = phi i64 [ 0, %pre ], [ %i.next, %body ]
  %product = mul i64 %i, %n
  %eighth = udiv i64 %product, 8
  %p = getelementptr inbounds nuw double, ptr %A, i64 %eighth
  %v = load double, ptr %p, align 8
  %sum = fadd double %v, 1.0
  store double %sum, ptr %p, align 8
  %i.next = add nuw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %end.1, label %body

end.1:
  br label %end

end:
  ret void
}
