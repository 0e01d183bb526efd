; A sum that is wanted behind the loop, and nothing else: it keeps its order, so there is nothing to gain.
;
;     double f(long n, double *restrict x) {
;         double s = 0.0;
;         for (long i = 0; i < n; i++) s += x[i];
;         return s;
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: a value computed in the loop is used after it
define double @f(i64 %n, ptr noalias %x) {
entry:
  %cmp9 = icmp sgt i64 %n, 0
  br i1 %cmp9, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  %add = phi double [ %add.1, %body ]
  br label %end

end:
  %s.0 = phi double [ 0.000000e+00, %entry ], [ %add, %end.1 ]
  ret double %s.0

body:
  %i.011 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %s.010 = phi double [ %add.1, %body ], [ 0.000000e+00, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.011
  %v0 = load double, ptr %p, align 8
  %add.1 = fadd double %s.010, %v0
  %inc = add nuw nsw i64 %i.011, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
