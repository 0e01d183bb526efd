; int iterators and sizes with nsw arithmetic, before indvars has widened them.
;
;     void f(int n, double *restrict x, double *restrict y) {
;         for (int i = 0; i < n; i++)
;             for (int j = 0; j < n; j++)
;                 x[i + j] += y[j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: array x[] of double
; CHECK-NEXT: array y[] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= n - 1 }
; CHECK-NEXT:   write x[i0 + i1]
; CHECK-NEXT:   read y[i1]
; CHECK-NEXT:   read x[i0 + i1]
; CHECK-NEXT:   x[i0 + i1] = (y[i1] + x[i0 + i1])

define void @f(i32 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp19 = icmp sgt i32 %n, 0
  br i1 %cmp19, label %loop1.pre.pre, label %end

loop1.pre.pre:
  %wide.trip.count26 = zext nneg i32 %n to i64
  br label %loop1.pre

loop1.pre:
  %i23 = phi i64 [ 0, %loop1.pre.pre ], [ %i24.next, %loop1.end3 ]
  %invariant.gep = getelementptr inbounds nuw double, ptr %x, i64 %i23
  br label %body4

body4:
  %i = phi i64 [ 0, %loop1.pre ], [ %i.next, %body4 ]
  %p = getelementptr inbounds nuw double, ptr %y, i64 %i
  %v0 = load double, ptr %p, align 8
  %gep = getelementptr inbounds nuw double, ptr %invariant.gep, i64 %i
  %v1 = load double, ptr %gep, align 8
  %add7 = fadd double %v0, %v1
  store double %add7, ptr %gep, align 8
  %i.next = add nuw nsw i64 %i, 1
  %done.not = icmp eq i64 %i.next, %wide.trip.count26
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %i24.next = add nuw nsw i64 %i23, 1
  %done27.not = icmp eq i64 %i24.next, %wide.trip.count26
  br i1 %done27.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
