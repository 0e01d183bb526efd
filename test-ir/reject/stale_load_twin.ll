; The cell is overwritten behind the last use of its old value. Twin of stale_load.
;
;     void f(long n, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++) {
;             y[i] = x[i];
;             x[i] = 1.0;
;         }
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks=loopwright -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %FileCheck --check-prefix=IR %s < %t.ll

; CHECK-NOT: cannot
; CHECK: ; predicted
; CHECK-NOT: cannot
; IR: loopwright.done
define void @f(i64 %n, ptr noalias %x, ptr noalias %y) {
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
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.09
  %v0 = load double, ptr %p, align 8
  %p1 = getelementptr inbounds nuw double, ptr %y, i64 %i.09
  store double %v0, ptr %p1, align 8
  store double 1.000000e+00, ptr %p, align 8
  %inc = add nuw nsw i64 %i.09, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
