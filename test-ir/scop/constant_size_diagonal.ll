; The diagonal of a constant-size matrix is subscripted twice by the same iterator, not by one of stride 49.
;
;     void diagonal(int n, double A[restrict][48]) {
;         for (int i = 0; i < 48; i++)
;             for (int j = 0; j < i; j++)
;                 A[i][i] += A[i][j];
;     }
;
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK-LABEL: loopwright: function diagonal
; CHECK-NEXT: params []
; CHECK-NEXT: context { [] }
; CHECK-NEXT: array A[][48] of double
; CHECK-NEXT: S0 at [0, 0, 0]
; CHECK-NEXT:   domain { [i0, i1] : i0 <= 47 and i1 >= 0 and i0 >= i1 + 1 }
; CHECK-NEXT:   write A[i0][i0]
; CHECK-NEXT:   read A[i0][i1]
; CHECK-NEXT:   read A[i0][i0]
; CHECK-NEXT:   A[i0][i0] = (A[i0][i1] + A[i0][i0])

define void @diagonal(i32 %n, ptr noalias %A) {
entry:
  br label %loop1.pre

loop1.pre:
  %i26 = phi i64 [ 0, %entry ], [ %i27.next, %end3 ]
  %cmp222.not = icmp eq i64 %i26, 0
  br i1 %cmp222.not, label %end3, label %body4.lr.ph

body4.lr.ph:
  %p = getelementptr inbounds nuw [48 x double], ptr %A, i64 %i26
  %p10 = getelementptr inbounds nuw double, ptr %p, i64 %i26
  %p10.start = load double, ptr %p10, align 8
  br label %body4

end:
  ret void

end3.1:
  br label %end3

end3:
  %i27.next = add nuw nsw i64 %i26, 1
  %done29.not = icmp eq i64 %i27.next, 48
  br i1 %done29.not, label %end, label %loop1.pre

body4:
  %i = phi i64 [ 0, %body4.lr.ph ], [ %i.next, %body4 ]
  %v0 = phi double [ %p10.start, %body4.lr.ph ], [ %add, %body4 ]
  %p6 = getelementptr inbounds nuw double, ptr %p, i64 %i
  %v1 = load double, ptr %p6, align 8
  %add = fadd double %v1, %v0
  store double %add, ptr %p10, align 8
  %i.next = add nuw nsw i64 %i, 1
  %done.not = icmp eq i64 %i.next, %i26
  br i1 %done.not, label %end3.1, label %body4
}
