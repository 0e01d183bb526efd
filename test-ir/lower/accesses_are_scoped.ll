; Arrays that the checks have told apart are told apart to LLVM too, by scopes.
;
;     void f(long n, double *a, double *x) {
;         for (long i = 0; i < n; i++)
;             a[i] = x[i] + a[i];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %s | %FileCheck %s

; CHECK: lw.loop:
; CHECK: load double, {{.*}} !alias.scope [[X:![0-9]+]], !noalias [[A:![0-9]+]]
; CHECK: load double, {{.*}} !alias.scope [[A]], !noalias [[X]]
; CHECK: store double {{.*}} !alias.scope [[A]], !noalias [[X]]
define void @f(i64 %n, ptr %a, ptr %x) {
entry:
  %cmp8 = icmp sgt i64 %n, 0
  br i1 %cmp8, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.09 = phi i64 [ %inc, %body ], [ 0, %body.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.09
  %v0 = load double, ptr %p, align 8
  %p1 = getelementptr inbounds nuw double, ptr %a, i64 %i.09
  %v1 = load double, ptr %p1, align 8
  %add = fadd double %v0, %v1
  store double %add, ptr %p1, align 8
  %inc = add nuw nsw i64 %i.09, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
