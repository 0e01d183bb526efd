; Different arrays of constant size: nothing to look at. Negative twin of checks_with_original.
;
;     double A[64][48], B[48];
;     void rows(void) {
;         for (int i = 0; i < 64; i++)
;             for (int j = 1; j < 48; j++)
;                 A[i][j] = A[i][j - 1] + B[j];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks=loopwright -S %s -o %t.ll 2>&1 | %FileCheck --check-prefix=REMARK --allow-empty %s
; RUN: %FileCheck %s < %t.ll

; REMARK-NOT: check
; CHECK-LABEL: define void @rows(
; CHECK-NOT: i128
; CHECK-NOT: icmp ule
; CHECK: lw.loop:
; CHECK-NOT: i128
; CHECK-NOT: icmp ule
; CHECK: lw.exit2:
@A = global [64 x [48 x double]] zeroinitializer
@B = global [48 x double] zeroinitializer

define void @rows() {
entry:
  br label %loop1.pre

loop1.pre:
  %i26 = phi i64 [ 0, %entry ], [ %i27.next, %end3 ]
  %p = getelementptr inbounds nuw [48 x double], ptr @A, i64 %i26
  br label %body4

end:
  ret void

end3:
  %i27.next = add nuw nsw i64 %i26, 1
  %done29.not = icmp eq i64 %i27.next, 64
  br i1 %done29.not, label %end, label %loop1.pre

body4:
  %i = phi i64 [ 1, %loop1.pre ], [ %i.next, %body4 ]
  %v0 = getelementptr double, ptr %p, i64 %i
  %p6 = getelementptr i8, ptr %v0, i64 -8
  %v1 = load double, ptr %p6, align 8
  %p8 = getelementptr inbounds nuw double, ptr @B, i64 %i
  %v2 = load double, ptr %p8, align 8
  %add = fadd double %v1, %v2
  store double %add, ptr %v0, align 8
  %i.next = add nuw nsw i64 %i, 1
  %done.not = icmp eq i64 %i.next, 48
  br i1 %done.not, label %end3, label %body4
}
