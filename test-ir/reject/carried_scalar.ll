; A carried value of a type that gets no memory of its own.
;
;     void f(long n, unsigned long *restrict x, unsigned long *restrict y) {
;         unsigned __int128 s = 0;
;         for (long i = 0; i < n; i++) {
;             s = s * 3 + x[i];
;             y[i] = s >> 64;
;         }
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: a value is carried from iteration to iteration in a register: it is not in memory, and no array cell could be found to hold it
define void @f(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %before, label %end

before:
  br label %body

body:
  %i = phi i64 [ %next, %body ], [ 0, %before ]
  %s = phi i128 [ %sum, %body ], [ 0, %before ]
  %p = getelementptr inbounds nuw i64, ptr %x, i64 %i
  %v = load i64, ptr %p, align 8
  %wide = zext i64 %v to i128
  %three = mul i128 %s, 3
  %sum = add i128 %three, %wide
  %high = lshr i128 %sum, 64
  %out = trunc i128 %high to i64
  %q = getelementptr inbounds nuw i64, ptr %y, i64 %i
  store i64 %out, ptr %q, align 8
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end.1, label %body

end.1:
  br label %end

end:
  ret void
}
