; The same over the first half alone: what is read is never written. Negative twin of reverse.
;
;     void reverse(long n, double *x) {
;         for (long i = 0; i < n; i++)
;             x[i] = x[2 * n - 1 - i];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-dependences>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function reverse

define void @reverse(i64 %n, ptr %x) {
entry:
  %cmp8 = icmp sgt i64 %n, 0
  br i1 %cmp8, label %body.lr.ph, label %end

body.lr.ph:
  %idx = shl i64 %n, 4
  %v0 = getelementptr i8, ptr %x, i64 %idx
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.09 = phi i64 [ 0, %body.lr.ph ], [ %inc, %body ]
  %v1 = xor i64 %i.09, -1
  %p = getelementptr double, ptr %v0, i64 %v1
  %v2 = load double, ptr %p, align 8
  %p2 = getelementptr inbounds nuw double, ptr %x, i64 %i.09
  store double %v2, ptr %p2, align 8
  %inc = add nuw nsw i64 %i.09, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
