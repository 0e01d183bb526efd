; LLVM has turned the branch on data into a select: an operation like others. Twin of data_dependent_branch.
;
;     void f(long n, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 y[j] += x[j] > x[i] ? x[j] : x[i];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks=loopwright -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %FileCheck --check-prefix=IR %s < %t.ll

; CHECK-NOT: cannot
; CHECK: ; predicted
; CHECK-NOT: cannot
; IR: loopwright.done
define void @f(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp27 = icmp sgt i64 %n, 0
  br i1 %cmp27, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.028 = phi i64 [ %inc11, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %p5 = getelementptr inbounds nuw double, ptr %x, i64 %i.028
  %v0 = load double, ptr %p5, align 8
  br label %body4

body4:
  %j.026 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %j.026
  %v1 = load double, ptr %p, align 8
  %cmp6 = fcmp ogt double %v1, %v0
  %v = select i1 %cmp6, double %v1, double %v0
  %p9 = getelementptr inbounds nuw double, ptr %y, i64 %j.026
  %v2 = load double, ptr %p9, align 8
  %add = fadd double %v2, %v
  store double %add, ptr %p9, align 8
  %inc = add nuw nsw i64 %j.026, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc11 = add nuw nsw i64 %i.028, 1
  %done29.not = icmp eq i64 %inc11, %n
  br i1 %done29.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
