; 64-bit unsigned i * n + k does not wrap inside an array. Twin of unsigned_wrap.
;
;     void f(unsigned long n, double *restrict A, double *restrict x) {
;         for (unsigned long i = 0; i < n; i++)
;             for (unsigned long k = 0; k < n; k++)
;                 A[i * n + k] += x[k];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks=loopwright -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %FileCheck --check-prefix=IR %s < %t.ll

; CHECK-NOT: cannot
; CHECK: ; predicted
; CHECK-NOT: cannot
; IR: loopwright.done
define void @f(i64 %n, ptr noalias %A, ptr noalias %x) {
entry:
  %cmp18.not = icmp eq i64 %n, 0
  br i1 %cmp18.not, label %end, label %loop1.pre.pre

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.019 = phi i64 [ %inc8, %end3 ], [ 0, %loop1.pre.pre ]
  %mul = mul i64 %i.019, %n
  %v0 = getelementptr double, ptr %A, i64 %mul
  br label %body4

end.1:
  br label %end

end:
  ret void

end3:
  %inc8 = add nuw i64 %i.019, 1
  %done20.not = icmp eq i64 %inc8, %n
  br i1 %done20.not, label %end.1, label %loop1.pre

body4:
  %k.017 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %k.017
  %v1 = load double, ptr %p, align 8
  %p5 = getelementptr double, ptr %v0, i64 %k.017
  %v2 = load double, ptr %p5, align 8
  %add6 = fadd double %v1, %v2
  store double %add6, ptr %p5, align 8
  %inc = add nuw i64 %k.017, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end3, label %body4
}
