; Doubles written, floats read from the same array.
;
;     void f(long n, char *restrict x) {
;         for (long i = 0; i < n; i++)
;             ((double *)x)[i] += ((float *)x)[i];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: one array is accessed with different element sizes
define void @f(i64 %n, ptr noalias %x) {
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
  %p = getelementptr inbounds nuw float, ptr %x, i64 %i.07
  %v0 = load float, ptr %p, align 4
  %conv = fpext float %v0 to double
  %p1 = getelementptr inbounds nuw double, ptr %x, i64 %i.07
  %v1 = load double, ptr %p1, align 8
  %add = fadd double %v1, %conv
  store double %add, ptr %p1, align 8
  %inc = add nuw nsw i64 %i.07, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
