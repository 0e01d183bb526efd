; Even cells are written, odd ones read: gcd says that they never meet.
;
;     void odd(long n, double *x) {
;         for (long i = 0; i < n; i++)
;             x[2 * i] = x[2 * i + 1];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-dependences>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function odd

define void @odd(i64 %n, ptr %x) {
entry:
  %cmp7 = icmp sgt i64 %n, 0
  br i1 %cmp7, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.08 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %idx = shl nuw nsw i64 %i.08, 4
  %v0 = getelementptr inbounds nuw i8, ptr %x, i64 %idx
  %p = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %v1 = load double, ptr %p, align 8
  store double %v1, ptr %v0, align 8
  %inc = add nuw nsw i64 %i.08, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
