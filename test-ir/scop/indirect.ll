; A subscript that is loaded: an operation, not an access. What the indices lead to is compared with what is written before the region.
;
;     void f(long n, long m, double *A, double *x, int *at) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < m; j++)
;                 A[i] += x[at[j]];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n, m]
; CHECK-NEXT: context [n, m] -> { [] }
; CHECK-NEXT: check A and at do not overlap
; CHECK-NEXT: check what the indices in at lead to and A do not overlap
; CHECK-NEXT: array A[] of double
; CHECK-NEXT: array at[] of i32
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n, m] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= m - 1 }
; CHECK-NEXT:   write A[i0]
; CHECK-NEXT:   read A[i0]
; CHECK-NEXT:   read at[i1]
; CHECK-NEXT:   A[i0] = (A[i0] + load(getelementptr(x, sext(at[i1]))))

define void @f(i64 %n, i64 %m, ptr %A, ptr %x, ptr %at) {
entry:
  %some = icmp sgt i64 %n, 0
  %columns = icmp sgt i64 %m, 0
  %runs = and i1 %some, %columns
  br i1 %runs, label %pre, label %end

pre:
  br label %loop

loop:
  %i = phi i64 [ 0, %pre ], [ %i.next, %next ]
  %p = getelementptr double, ptr %A, i64 %i
  br label %body

body:
  %j = phi i64 [ 0, %loop ], [ %j.next, %body ]
  %a = getelementptr i32, ptr %at, i64 %j
  %index = load i32, ptr %a, align 4
  %wide = sext i32 %index to i64
  %q = getelementptr double, ptr %x, i64 %wide
  %y = load double, ptr %q, align 8
  %v = load double, ptr %p, align 8
  %sum = fadd double %v, %y
  store double %sum, ptr %p, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %m
  br i1 %j.done, label %next, label %body

next:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %end.1, label %loop

end.1:
  br label %end

end:
  ret void
}
