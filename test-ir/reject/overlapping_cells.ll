; Doubles at multiples of 12 bytes overlap the next.
;
;     void f(long n, char *restrict x) {
;         for (long i = 0; i < n; i++)
;             *(double *)(x + 12 * i) += 1.0;
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the dimensions of an array could not be recovered from its subscripts
define void @f(i64 %n, ptr noalias %x) {
entry:
  %cmp3 = icmp sgt i64 %n, 0
  br i1 %cmp3, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.04 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %mul = mul nuw nsw i64 %i.04, 12
  %add.ptr = getelementptr inbounds nuw i8, ptr %x, i64 %mul
  %v0 = load double, ptr %add.ptr, align 8
  %add = fadd double %v0, 1.000000e+00
  store double %add, ptr %add.ptr, align 8
  %inc = add nuw nsw i64 %i.04, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
