; That an earlier loop has ended says nothing about a later one: the earlier loop's iterator is no parameter of the later nest, and
; the later nest does not depend on values that the earlier one's transformation moves out of its way.
;
;     void effect(void);
;     void f(double *restrict x, double *restrict y) {
;         for (long i = 0; i < 100; i++)
;             x[i] += 1.0;
;         effect();
;         for (long i = 0; i < 100; i++)
;             y[i] += 1.0;
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks=loopwright -pass-remarks-missed=loopwright -verify-each -S %s -o %t.ll 2>&1 | %FileCheck --implicit-check-not=internal %s
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck --check-prefix=SCOP %s

; CHECK: predicted
; CHECK: predicted
; SCOP: params []
; SCOP: params []
define void @f(ptr noalias %x, ptr noalias %y) {
entry:
  br label %body

end:
  call void @effect()
  br label %body5

body:
  %i.015 = phi i64 [ 0, %entry ], [ %inc, %body ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.015
  %v0 = load double, ptr %p, align 8
  %add = fadd double %v0, 1.000000e+00
  store double %add, ptr %p, align 8
  %inc = add nuw nsw i64 %i.015, 1
  %done.not = icmp eq i64 %inc, 100
  br i1 %done.not, label %end, label %body

end4:
  ret void

body5:
  %i1.016 = phi i64 [ 0, %end ], [ %inc9, %body5 ]
  %p6 = getelementptr inbounds nuw double, ptr %y, i64 %i1.016
  %v1 = load double, ptr %p6, align 8
  %add7 = fadd double %v1, 1.000000e+00
  store double %add7, ptr %p6, align 8
  %inc9 = add nuw nsw i64 %i1.016, 1
  %done17.not = icmp eq i64 %inc9, 100
  br i1 %done17.not, label %end4, label %body5
}

declare void @effect()
