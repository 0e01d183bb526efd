; Rows that are reached through an array of pointers are one array; the row is the first subscript.
;
;     void f(long n, double **restrict A, double *restrict x) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 x[i] += A[i][j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function f
; CHECK: check x and A do not overlap
; CHECK: array A[][row] of double
; CHECK: read A[i0][i1]

define void @f(i64 %n, ptr noalias %A, ptr noalias %x) {
entry:
  %cmp19 = icmp sgt i64 %n, 0
  br i1 %cmp19, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %i.020 = phi i64 [ %inc8, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %p = getelementptr inbounds nuw ptr, ptr %A, i64 %i.020
  %v0 = load ptr, ptr %p, align 8
  %p6 = getelementptr inbounds nuw double, ptr %x, i64 %i.020
  %p6.start = load double, ptr %p6, align 8
  br label %body4

body4:
  %add18 = phi double [ %p6.start, %loop1.pre ], [ %add, %body4 ]
  %j.017 = phi i64 [ 0, %loop1.pre ], [ %inc, %body4 ]
  %p5 = getelementptr inbounds nuw double, ptr %v0, i64 %j.017
  %v1 = load double, ptr %p5, align 8
  %add = fadd double %v1, %add18
  %inc = add nuw nsw i64 %j.017, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %loop1.end3, label %body4

loop1.end3:
  %add.1 = phi double [ %add, %body4 ]
  store double %add.1, ptr %p6, align 8
  %inc8 = add nuw nsw i64 %i.020, 1
  %done21.not = icmp eq i64 %inc8, %n
  br i1 %done21.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}
