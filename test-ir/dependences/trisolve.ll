; Triangular solve: A[m][n] is divided after all updates of it and before it is used in updates.
;
;     void trisolve(long M, long N, double A[restrict M][N], double U[restrict N][N]) {
;         for (long m = 0; m < M; m++)
;             for (long n = 0; n < N; n++) {
;                 A[m][n] /= U[n][n];
;                 for (long k = n + 1; k < N; k++)
;                     A[m][k] -= A[m][n] * U[n][k];
;             }
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-dependences>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function trisolve
; CHECK-NEXT: flow S0 -> S1 on A level 2: [M, N] -> { [t0, t1, t2, s0, s1] : t0 = s0 and t1 = s1 and t0 >= 0 and t0 <= M - 1 and t1 >= 0 and t2 >= 0 and t1 + t2 <= N - 2 }
; CHECK-NEXT: output S1 -> S0 on A level 1: [M, N] -> { [t0, t1, s0, s1, s2] : t0 = s0 and t1 = s1 + s2 + 1 and t0 >= 0 and t0 <= M - 1 and t1 <= N - 1 and s1 >= 0 and t1 >= s1 + 1 }
; CHECK-NEXT: flow S1 -> S0 on A level 1: [M, N] -> { [t0, t1, s0, s1, s2] : t0 = s0 and t1 = s1 + s2 + 1 and t0 >= 0 and t0 <= M - 1 and t1 <= N - 1 and s1 >= 0 and t1 >= s1 + 1 }
; CHECK-NEXT: anti S1 -> S0 on A level 1: [M, N] -> { [t0, t1, s0, s1, s2] : t0 = s0 and t1 = s1 + s2 + 1 and t0 >= 0 and t0 <= M - 1 and t1 <= N - 1 and s1 >= 0 and t1 >= s1 + 1 }
; CHECK-NEXT: output S1 -> S1 on A level 1: [M, N] -> { [t0, t1, t2, s0, s1, s2] : t0 = s0 and t1 + t2 = s1 + s2 and t0 >= 0 and t0 <= M - 1 and t2 >= 0 and t1 + t2 <= N - 2 and s1 >= 0 and t1 >= s1 + 1 }
; CHECK-NEXT: flow S1 -> S1 on A level 1: [M, N] -> { [t0, t1, t2, s0, s1, s2] : t0 = s0 and t1 = s1 + s2 + 1 and t0 >= 0 and t0 <= M - 1 and t2 >= 0 and t1 + t2 <= N - 2 and s1 >= 0 and t1 >= s1 + 1 }
; CHECK-NEXT: flow S1 -> S1 on A level 1: [M, N] -> { [t0, t1, t2, s0, s1, s2] : t0 = s0 and t1 + t2 = s1 + s2 and t0 >= 0 and t0 <= M - 1 and t2 >= 0 and t1 + t2 <= N - 2 and s1 >= 0 and t1 >= s1 + 1 }
; CHECK-NEXT: anti S1 -> S1 on A level 1: [M, N] -> { [t0, t1, t2, s0, s1, s2] : t0 = s0 and t1 + t2 = s1 + s2 and t0 >= 0 and t0 <= M - 1 and t2 >= 0 and t1 + t2 <= N - 2 and s1 >= 0 and t1 >= s1 + 1 }
; CHECK-NEXT: input S0 -> S1 on A level 2: [M, N] -> { [t0, t1, t2, s0, s1] : t0 = s0 and t1 = s1 and t0 >= 0 and t0 <= M - 1 and t1 >= 0 and t2 >= 0 and t1 + t2 <= N - 2 }

define void @trisolve(i64 %M, i64 %N, ptr noalias %A, ptr noalias %U) {
entry:
  %cmp50 = icmp sgt i64 %M, 0
  %cmp248 = icmp sgt i64 %N, 0
  %or.cond = and i1 %cmp50, %cmp248
  br i1 %or.cond, label %loop1.pre.pre, label %end

loop1.pre.pre:
  br label %loop1.pre

loop1.pre:
  %m.051 = phi i64 [ %inc22, %loop1.end3 ], [ 0, %loop1.pre.pre ]
  %v0 = mul nuw nsw i64 %m.051, %N
  %p6 = getelementptr inbounds nuw double, ptr %A, i64 %v0
  br label %body4

body4:
  %n.049 = phi i64 [ 0, %loop1.pre ], [ %add, %loop1 ]
  %v1 = mul nuw nsw i64 %n.049, %N
  %p = getelementptr inbounds nuw double, ptr %U, i64 %v1
  %p5 = getelementptr inbounds nuw double, ptr %p, i64 %n.049
  %v2 = load double, ptr %p5, align 8
  %p7 = getelementptr inbounds nuw double, ptr %p6, i64 %n.049
  %v3 = load double, ptr %p7, align 8
  %div = fdiv double %v3, %v2
  store double %div, ptr %p7, align 8
  %add = add nuw nsw i64 %n.049, 1
  %cmp946 = icmp slt i64 %add, %N
  br i1 %cmp946, label %body11.pre, label %loop1

body11.pre:
  br label %body11

body11:
  %k.047 = phi i64 [ %inc, %body11 ], [ %add, %body11.pre ]
  %v4 = load double, ptr %p7, align 8
  %p15 = getelementptr inbounds nuw double, ptr %p, i64 %k.047
  %v5 = load double, ptr %p15, align 8
  %p17 = getelementptr inbounds nuw double, ptr %p6, i64 %k.047
  %v6 = load double, ptr %p17, align 8
  %neg = fneg double %v4
  %v7 = call double @llvm.fmuladd.f64(double %neg, double %v5, double %v6)
  store double %v7, ptr %p17, align 8
  %inc = add nuw nsw i64 %k.047, 1
  %done.not = icmp eq i64 %inc, %N
  br i1 %done.not, label %loop1.1, label %body11

loop1.1:
  br label %loop1

loop1:
  %done53.not = icmp eq i64 %add, %N
  br i1 %done53.not, label %loop1.end3, label %body4

loop1.end3:
  %inc22 = add nuw nsw i64 %m.051, 1
  %done54.not = icmp eq i64 %inc22, %M
  br i1 %done54.not, label %end.1, label %loop1.pre

end.1:
  br label %end

end:
  ret void
}

declare double @llvm.fmuladd.f64(double, double, double)
