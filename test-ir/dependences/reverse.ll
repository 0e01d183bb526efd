; x[i] = x[n-1-i]: in the first half cells are read before they are written, in the second half after.
;
;     void reverse(long n, double *x) {
;         for (long i = 0; i < n; i++)
;             x[i] = x[n - 1 - i];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-dependences>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function reverse
; CHECK-NEXT: flow S0 -> S0 on x level 0: [n] -> { [t0, s0] : n = t0 + s0 + 1 and 2t0 >= n and t0 <= n - 1 }
; CHECK-NEXT: anti S0 -> S0 on x level 0: [n] -> { [t0, s0] : n = t0 + s0 + 1 and 2t0 >= n and t0 <= n - 1 }

define void @reverse(i64 %n, ptr %x) {
entry:
  %cmp8 = icmp sgt i64 %n, 0
  br i1 %cmp8, label %body.lr.ph, label %end

body.lr.ph:
  %v0 = getelementptr double, ptr %x, i64 %n
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
