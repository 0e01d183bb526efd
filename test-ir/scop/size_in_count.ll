; A loop that runs as often as a number says that may be negative, but once at least for what LLVM knows: the number is assumed to be no less, so that distances of as many cells are known
; to be far enough. (A parameter of its own for `max(n, 1)` would stand in no relation to `n`.)
;
;     void f(long q, double a[]) {
;         long n = 1L << q;
;         for (long i = 0; i < n; i++) a[i + n] = a[i] + a[i + n];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK-NEXT: params [n]
; CHECK-NEXT: context [n] -> { [] : n >= 1 }
; CHECK-NEXT: check n - 1 >= 0
; CHECK-NEXT: array a[][stride 8*n] of double
; CHECK-NEXT: S0 at [0, 0]
; CHECK-NEXT:   domain [n] -> { [i0] : i0 >= 0 and i0 <= n - 1 }
; CHECK-NEXT:   write a[1][i0]
; CHECK-NEXT:   read a[0][i0]
; CHECK-NEXT:   read a[1][i0]
; CHECK-NEXT:   a[1][i0] = (a[0][i0] + a[1][i0])

declare i64 @llvm.smax.i64(i64, i64)

define void @f(i64 %q, ptr noalias %a) {
entry:
  %n = shl nuw i64 1, %q
  %most = tail call i64 @llvm.smax.i64(i64 %n, i64 1)
  %far = getelementptr double, ptr %a, i64 %n
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr double, ptr %a, i64 %i
  %x = load double, ptr %from, align 8
  %to = getelementptr double, ptr %far, i64 %i
  %y = load double, ptr %to, align 8
  %sum = fadd double %x, %y
  store double %sum, ptr %to, align 8
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %most
  br i1 %done, label %end, label %loop

end:
  ret void
}
