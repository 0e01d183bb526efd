; Conditions that share their parts: taken apart as a tree, this one has a billion of them, and compiling took longer than one can wait.
; RUN: timeout 20 %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s 2>&1 | %FileCheck %s

; CHECK:     S0 at [0, 0]
; CHECK:       may write a[i0]
; CHECK:       if (fcmp(b[i0], const)) if (fcmp(b[i0], const)) {{.*}} a[i0] = (a[i0] + const)
define void @chosen(i64 %n, ptr noalias %a, ptr noalias %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %b.i = getelementptr inbounds double, ptr %b, i64 %i
  %x = load double, ptr %b.i, align 8
  %c0 = fcmp ogt double %x, 0.0
  %l0 = fcmp olt double %x, 10.0
  %r0 = fcmp one double %x, 1.0
  %both.l0 = and i1 %c0, %l0
  %both.r0 = and i1 %c0, %r0
  %c1 = and i1 %both.l0, %both.r0
  %l1 = fcmp olt double %x, 11.0
  %r1 = fcmp one double %x, 2.0
  %both.l1 = and i1 %c1, %l1
  %both.r1 = and i1 %c1, %r1
  %c2 = and i1 %both.l1, %both.r1
  %l2 = fcmp olt double %x, 12.0
  %r2 = fcmp one double %x, 3.0
  %both.l2 = and i1 %c2, %l2
  %both.r2 = and i1 %c2, %r2
  %c3 = and i1 %both.l2, %both.r2
  %l3 = fcmp olt double %x, 13.0
  %r3 = fcmp one double %x, 4.0
  %both.l3 = and i1 %c3, %l3
  %both.r3 = and i1 %c3, %r3
  %c4 = and i1 %both.l3, %both.r3
  %l4 = fcmp olt double %x, 14.0
  %r4 = fcmp one double %x, 5.0
  %both.l4 = and i1 %c4, %l4
  %both.r4 = and i1 %c4, %r4
  %c5 = and i1 %both.l4, %both.r4
  %l5 = fcmp olt double %x, 15.0
  %r5 = fcmp one double %x, 6.0
  %both.l5 = and i1 %c5, %l5
  %both.r5 = and i1 %c5, %r5
  %c6 = and i1 %both.l5, %both.r5
  %l6 = fcmp olt double %x, 16.0
  %r6 = fcmp one double %x, 7.0
  %both.l6 = and i1 %c6, %l6
  %both.r6 = and i1 %c6, %r6
  %c7 = and i1 %both.l6, %both.r6
  %l7 = fcmp olt double %x, 17.0
  %r7 = fcmp one double %x, 8.0
  %both.l7 = and i1 %c7, %l7
  %both.r7 = and i1 %c7, %r7
  %c8 = and i1 %both.l7, %both.r7
  %l8 = fcmp olt double %x, 18.0
  %r8 = fcmp one double %x, 9.0
  %both.l8 = and i1 %c8, %l8
  %both.r8 = and i1 %c8, %r8
  %c9 = and i1 %both.l8, %both.r8
  %l9 = fcmp olt double %x, 19.0
  %r9 = fcmp one double %x, 10.0
  %both.l9 = and i1 %c9, %l9
  %both.r9 = and i1 %c9, %r9
  %c10 = and i1 %both.l9, %both.r9
  %l10 = fcmp olt double %x, 20.0
  %r10 = fcmp one double %x, 11.0
  %both.l10 = and i1 %c10, %l10
  %both.r10 = and i1 %c10, %r10
  %c11 = and i1 %both.l10, %both.r10
  %l11 = fcmp olt double %x, 21.0
  %r11 = fcmp one double %x, 12.0
  %both.l11 = and i1 %c11, %l11
  %both.r11 = and i1 %c11, %r11
  %c12 = and i1 %both.l11, %both.r11
  %l12 = fcmp olt double %x, 22.0
  %r12 = fcmp one double %x, 13.0
  %both.l12 = and i1 %c12, %l12
  %both.r12 = and i1 %c12, %r12
  %c13 = and i1 %both.l12, %both.r12
  %l13 = fcmp olt double %x, 23.0
  %r13 = fcmp one double %x, 14.0
  %both.l13 = and i1 %c13, %l13
  %both.r13 = and i1 %c13, %r13
  %c14 = and i1 %both.l13, %both.r13
  %l14 = fcmp olt double %x, 24.0
  %r14 = fcmp one double %x, 15.0
  %both.l14 = and i1 %c14, %l14
  %both.r14 = and i1 %c14, %r14
  %c15 = and i1 %both.l14, %both.r14
  %l15 = fcmp olt double %x, 25.0
  %r15 = fcmp one double %x, 16.0
  %both.l15 = and i1 %c15, %l15
  %both.r15 = and i1 %c15, %r15
  %c16 = and i1 %both.l15, %both.r15
  %l16 = fcmp olt double %x, 26.0
  %r16 = fcmp one double %x, 17.0
  %both.l16 = and i1 %c16, %l16
  %both.r16 = and i1 %c16, %r16
  %c17 = and i1 %both.l16, %both.r16
  %l17 = fcmp olt double %x, 27.0
  %r17 = fcmp one double %x, 18.0
  %both.l17 = and i1 %c17, %l17
  %both.r17 = and i1 %c17, %r17
  %c18 = and i1 %both.l17, %both.r17
  %l18 = fcmp olt double %x, 28.0
  %r18 = fcmp one double %x, 19.0
  %both.l18 = and i1 %c18, %l18
  %both.r18 = and i1 %c18, %r18
  %c19 = and i1 %both.l18, %both.r18
  %l19 = fcmp olt double %x, 29.0
  %r19 = fcmp one double %x, 20.0
  %both.l19 = and i1 %c19, %l19
  %both.r19 = and i1 %c19, %r19
  %c20 = and i1 %both.l19, %both.r19
  %l20 = fcmp olt double %x, 30.0
  %r20 = fcmp one double %x, 21.0
  %both.l20 = and i1 %c20, %l20
  %both.r20 = and i1 %c20, %r20
  %c21 = and i1 %both.l20, %both.r20
  %l21 = fcmp olt double %x, 31.0
  %r21 = fcmp one double %x, 22.0
  %both.l21 = and i1 %c21, %l21
  %both.r21 = and i1 %c21, %r21
  %c22 = and i1 %both.l21, %both.r21
  %l22 = fcmp olt double %x, 32.0
  %r22 = fcmp one double %x, 23.0
  %both.l22 = and i1 %c22, %l22
  %both.r22 = and i1 %c22, %r22
  %c23 = and i1 %both.l22, %both.r22
  %l23 = fcmp olt double %x, 33.0
  %r23 = fcmp one double %x, 24.0
  %both.l23 = and i1 %c23, %l23
  %both.r23 = and i1 %c23, %r23
  %c24 = and i1 %both.l23, %both.r23
  %l24 = fcmp olt double %x, 34.0
  %r24 = fcmp one double %x, 25.0
  %both.l24 = and i1 %c24, %l24
  %both.r24 = and i1 %c24, %r24
  %c25 = and i1 %both.l24, %both.r24
  %l25 = fcmp olt double %x, 35.0
  %r25 = fcmp one double %x, 26.0
  %both.l25 = and i1 %c25, %l25
  %both.r25 = and i1 %c25, %r25
  %c26 = and i1 %both.l25, %both.r25
  %l26 = fcmp olt double %x, 36.0
  %r26 = fcmp one double %x, 27.0
  %both.l26 = and i1 %c26, %l26
  %both.r26 = and i1 %c26, %r26
  %c27 = and i1 %both.l26, %both.r26
  %l27 = fcmp olt double %x, 37.0
  %r27 = fcmp one double %x, 28.0
  %both.l27 = and i1 %c27, %l27
  %both.r27 = and i1 %c27, %r27
  %c28 = and i1 %both.l27, %both.r27
  %l28 = fcmp olt double %x, 38.0
  %r28 = fcmp one double %x, 29.0
  %both.l28 = and i1 %c28, %l28
  %both.r28 = and i1 %c28, %r28
  %c29 = and i1 %both.l28, %both.r28
  %l29 = fcmp olt double %x, 39.0
  %r29 = fcmp one double %x, 30.0
  %both.l29 = and i1 %c29, %l29
  %both.r29 = and i1 %c29, %r29
  %c30 = and i1 %both.l29, %both.r29
  br i1 %c30, label %then, label %latch

then:
  %a.i = getelementptr inbounds double, ptr %a, i64 %i
  %old = load double, ptr %a.i, align 8
  %new = fadd double %old, 1.0
  store double %new, ptr %a.i, align 8
  br label %latch

latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
