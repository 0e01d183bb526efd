; A branch on loaded data around stores to different arrays: what is stored under it may be stored, what is loaded under it may be loaded.
;
;     void f(long n, double *restrict x, double *restrict y, double *restrict z) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++) {
;                 if (x[j] > 0.0)
;                     y[j] += x[i];
;                 else
;                     z[i] = y[j];
;             }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK:      S0 at [0, 0, 0]
; CHECK:        may write y[i1]
; CHECK-NEXT:   read x[i1]
; CHECK-NEXT:   may read x[i0]
; CHECK-NEXT:   may read y[i1]
; CHECK-NEXT:   if (fcmp(x[i1], const)) y[i1] = (x[i0] + y[i1])
; CHECK:      S1 at [0, 0, 1]
; CHECK:        may write z[i0]
; CHECK-NEXT:   read x[i1]
; CHECK-NEXT:   may read y[i1]
; CHECK-NEXT:   if (!fcmp(x[i1], const)) z[i0] = y[i1]

define void @f(i64 %n, ptr noalias %x, ptr noalias %y, ptr noalias %z) {
entry:
  %cmp25 = icmp sgt i64 %n, 0
  br i1 %cmp25, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.026 = phi i64 [ %inc11, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %p9 = getelementptr inbounds nuw double, ptr %z, i64 %i.026
  %p6 = getelementptr inbounds nuw double, ptr %x, i64 %i.026
  br label %body4

body4:
  %j.024 = phi i64 [ 0, %loop1.pre ], [ %inc, %for.inc ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %j.024
  %v0 = load double, ptr %p, align 8
  %cmp5 = fcmp ogt double %v0, 0.000000e+00
  br i1 %cmp5, label %if.then, label %if.else

if.else:
  %p8 = getelementptr inbounds nuw double, ptr %y, i64 %j.024
  %v1 = load double, ptr %p8, align 8
  store double %v1, ptr %p9, align 8
  br label %for.inc

if.then:
  %v2 = load double, ptr %p6, align 8
  %p7 = getelementptr inbounds nuw double, ptr %y, i64 %j.024
  %v3 = load double, ptr %p7, align 8
  %add = fadd double %v2, %v3
  store double %add, ptr %p7, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %j.024, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc11 = add nuw nsw i64 %i.026, 1
  %done27.not = icmp eq i64 %inc11, %n
  br i1 %done27.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
