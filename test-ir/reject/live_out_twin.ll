; The sum goes into a cell instead: it may live there. Twin of live_out and carried_scalar.
;
;     void f(long n, double *restrict x, double *restrict y, double *restrict s) {
;         s[0] = 0.0;
;         for (long i = 0; i < n; i++) {
;             s[0] += x[i];
;             y[i] = x[i] * 2.0;
;         }
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks=loopwright -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %FileCheck --check-prefix=IR %s < %t.ll

; CHECK-NOT: cannot
; CHECK: ; predicted
; CHECK-NOT: cannot
; IR: loopwright.done
define void @f(i64 %n, ptr noalias %x, ptr noalias %y, ptr noalias initializes((0, 8)) %s) {
entry:
  store double 0.000000e+00, ptr %s, align 8
  %cmp11 = icmp sgt i64 %n, 0
  br i1 %cmp11, label %body.pre, label %end

body.pre:
  br label %body

loop.end:
  %add = phi double [ %add.1, %body ]
  store double %add, ptr %s, align 8
  br label %end

end:
  ret void

body:
  %v0 = phi double [ %add.1, %body ], [ 0.000000e+00, %body.pre ]
  %i.012 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %p1 = getelementptr inbounds nuw double, ptr %x, i64 %i.012
  %v1 = load double, ptr %p1, align 8
  %add.1 = fadd double %v1, %v0
  %mul = fmul double %v1, 2.000000e+00
  %p4 = getelementptr inbounds nuw double, ptr %y, i64 %i.012
  store double %mul, ptr %p4, align 8
  %inc = add nuw nsw i64 %i.012, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop.end, label %body
}
