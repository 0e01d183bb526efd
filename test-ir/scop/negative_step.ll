; A loop that runs downwards: the iterator counts from zero, the subscript goes down.
;
;     void down(long n, double *restrict x, double *restrict y) {
;         for (long i = n - 1; i >= 0; i--)
;             for (long j = i; j >= 0; j--)
;                 x[i] += y[j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function down
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: array x[] of double
; CHECK-NEXT: array y[] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n] -> { [i0, i1] : i0 >= 0 and i1 >= 0 and i0 + i1 <= n - 1 }
; CHECK-NEXT:   write x[-i0 + n - 1]
; CHECK-NEXT:   read y[-i0 - i1 + n - 1]
; CHECK-NEXT:   read x[-i0 + n - 1]
; CHECK-NEXT:   x[-i0 + n - 1] = (y[-i0 - i1 + n - 1] + x[-i0 + n - 1])

define void @down(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp17 = icmp sgt i64 %n, 0
  br i1 %cmp17, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop:
  %add = phi double [ %add.1, %body4 ]
  store double %add, ptr %p5, align 8
  %cmp = icmp samesign ugt i64 %i.018.in, 1
  br i1 %cmp, label %loop1.pre, label %end.1

loop1.pre:
  %i.018.in = phi i64 [ %i.018, %loop ], [ %n, %loop1.pre.pre ]
  %i.018 = add nsw i64 %i.018.in, -1
  %p5 = getelementptr inbounds nuw double, ptr %x, i64 %i.018
  %p5.start = load double, ptr %p5, align 8
  br label %body4

end.1:
  br label %end

end:
  ret void

body4:
  %add15 = phi double [ %p5.start, %loop1.pre ], [ %add.1, %body4 ]
  %j.014 = phi i64 [ %i.018, %loop1.pre ], [ %dec, %body4 ]
  %p = getelementptr inbounds nuw double, ptr %y, i64 %j.014
  %v0 = load double, ptr %p, align 8
  %add.1 = fadd double %v0, %add15
  %dec = add nsw i64 %j.014, -1
  %cmp2 = icmp sgt i64 %j.014, 0
  br i1 %cmp2, label %body4, label %loop
}
