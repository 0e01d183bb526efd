; The address of an array is kept in memory, as in a std::vector: it is loaded before the region, where the guard of the loops holds.
;
;     struct vector { double *data; };
;     void f(long n, struct vector *v) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 v->data[i * n + j] += 1.0;
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] }
; CHECK-NEXT: check data and hoisted load 0 do not overlap
; CHECK-NEXT: array data[][stride 8*n] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain [n] -> { [i0, i1] : i0 >= 0 and i0 <= n - 1 and i1 >= 0 and i1 <= n - 1 }
; CHECK-NEXT:   write data[i0][i1]
; CHECK-NEXT:   read data[i0][i1]
; CHECK-NEXT:   data[i0][i1] = (data[i0][i1] + const)

define void @f(i64 %n, ptr %v) {
entry:
  %runs = icmp sgt i64 %n, 0
  br i1 %runs, label %pre, label %end

pre:
  br label %loop

loop:
  %i = phi i64 [ 0, %pre ], [ %i.next, %next ]
  %data = load ptr, ptr %v, align 8
  %in = mul nsw i64 %i, %n
  %row = getelementptr double, ptr %data, i64 %in
  br label %body

body:
  %j = phi i64 [ 0, %loop ], [ %j.next, %body ]
  %p = getelementptr double, ptr %row, i64 %j
  %x = load double, ptr %p, align 8
  %sum = fadd double %x, 1.0
  store double %sum, ptr %p, align 8
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %n
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
