; A branch inside the loops on what is known before them, and is no range of sizes: a parameter, -1 where it holds.
;
;     void f(long n, long m, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 if (m < 0 || m > n)
;                     y[j] = x[i] / y[j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK: params [n, cmp5]
; CHECK: domain [n, cmp5] -> { [i0, i1] : cmp5 <= -1 and
; CHECK: {{^  }}write y[i1]

define void @f(i64 %n, i64 %m, ptr noalias %x, ptr noalias %y) {
entry:
  %below = icmp slt i64 %m, 0
  %above = icmp sgt i64 %m, %n
  %cmp5 = or i1 %below, %above
  %cmp23 = icmp sgt i64 %n, 0
  br i1 %cmp23, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.024 = phi i64 [ %inc9, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %p = getelementptr inbounds nuw double, ptr %x, i64 %i.024
  br label %body4

body4:
  %j.022 = phi i64 [ 0, %loop1.pre ], [ %inc, %for.inc ]
  br i1 %cmp5, label %if.then, label %for.inc

if.then:
  %v0 = load double, ptr %p, align 8
  %p6 = getelementptr inbounds nuw double, ptr %y, i64 %j.022
  %v1 = load double, ptr %p6, align 8
  %div = fdiv double %v0, %v1
  store double %div, ptr %p6, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %j.022, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %inc9 = add nuw nsw i64 %i.024, 1
  %done25.not = icmp eq i64 %inc9, %n
  br i1 %done25.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
