; policy=auto leaves a loop alone that gains nothing, and says so.
;
;     void scale(long n, double *restrict x) {
;         for (long i = 0; i < n; i++)
;             x[i] *= 2.0;
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-ast>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function scale
; CHECK-NEXT: left alone: the loops are already in the best form found

define void @scale(i64 %n, ptr noalias %x) {
entry:
  %cmp3 = icmp sgt i64 %n, 0
  br i1 %cmp3, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.04 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.04
  %v0 = load double, ptr %p, align 8
  %mul = fmul double %v0, 2.000000e+00
  store double %mul, ptr %p, align 8
  %inc = add nuw nsw i64 %i.04, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
