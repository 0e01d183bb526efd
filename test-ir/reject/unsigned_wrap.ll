; 64-bit unsigned i * n may wrap around: what it is compared with cannot be brought to conditions on n and m.
;
;     void f(unsigned long n, unsigned long m, double *restrict A) {
;         for (unsigned long i = 0; i < n; i++)
;             if (i * n < m) A[i] += 1.0;
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: integer arithmetic may wrap around
define void @f(i64 %n, i64 %m, ptr noalias %A) {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %end, label %pre

pre:
  br label %body

body:
  %i = phi i64 [ 0, %pre ], [ %i.next, %next ]
  %product = mul i64 %i, %n
  %less = icmp ult i64 %product, %m
  br i1 %less, label %then, label %next

then:
  %p = getelementptr inbounds nuw double, ptr %A, i64 %i
  %v = load double, ptr %p, align 8
  %sum = fadd double %v, 1.0
  store double %sum, ptr %p, align 8
  br label %next

next:
  %i.next = add nuw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %end.1, label %body

end.1:
  br label %end

end:
  ret void
}
