; x[2*i] and x[i] meet: the value goes from i to 2*i. Negative twin of strides_miss.
;
;     void twice(long n, double *x) {
;         for (long i = 0; i < n; i++)
;             x[2 * i] = x[i] + 1.0;
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-dependences>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function twice
; CHECK-NEXT: flow S0 -> S0 on x level 0: [n] -> { [t0, s0] : t0 = 2s0 and t0 >= 2 and t0 <= n - 1 }

define void @twice(i64 %n, ptr %x) {
entry:
  %cmp6 = icmp sgt i64 %n, 0
  br i1 %cmp6, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.07 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.07
  %v0 = load double, ptr %p, align 8
  %add = fadd double %v0, 1.000000e+00
  %p1.idx = shl nsw i64 %i.07, 4
  %p1 = getelementptr inbounds nuw i8, ptr %x, i64 %p1.idx
  store double %add, ptr %p1, align 8
  %inc = add nuw nsw i64 %i.07, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
