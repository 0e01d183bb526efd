; The last value of a sum goes into every cell, behind its update: carried in a register, and memory of its own would hold the new one.
;
;     void f(long n, double *restrict x, double *restrict y) {
;         double s = 0.0;
;         for (long i = 0; i < n; i++) {
;             double last = s;
;             s = s * 0.5 + x[i];
;             y[i] = last * last;
;         }
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: a value is carried from iteration to iteration in a register: it is not in memory, and no array cell could be found to hold it
define void @f(i64 %n, ptr noalias %x, ptr noalias %y) {
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
  %i.09 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %s.08 = phi double [ %v1, %body ], [ 0.000000e+00, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.09
  %v0 = load double, ptr %p, align 8
  %v1 = call double @llvm.fmuladd.f64(double %s.08, double 5.000000e-01, double %v0)
  %mul = fmul double %s.08, %s.08
  %p1 = getelementptr inbounds nuw double, ptr %y, i64 %i.09
  store double %mul, ptr %p1, align 8
  %inc = add nuw nsw i64 %i.09, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}

declare double @llvm.fmuladd.f64(double, double, double)
