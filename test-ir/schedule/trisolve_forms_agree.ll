; The two forms of the triangular solve differ in how k is counted, and in nothing of the schedules found.
;
; RUN: %loopwright-opt -passes='print<loopwright-schedule>' -disable-output %S/trisolve_from_n_plus_1.ll 2> %t.plus
; RUN: %loopwright-opt -passes='print<loopwright-schedule>' -disable-output %S/trisolve_from_zero.ll 2> %t.zero
; RUN: %FileCheck %s < %t.plus
; RUN: diff %t.plus %t.zero
; RUN: %loopwright-opt -passes='print<loopwright-schedule>' -disable-output %S/trisolve_column_major.ll 2> %t.plus
; RUN: %loopwright-opt -passes='print<loopwright-schedule>' -disable-output %S/trisolve_column_major_from_zero.ll 2> %t.zero
; RUN: %FileCheck %s < %t.plus
; RUN: diff %t.plus %t.zero

; CHECK: origin IndexMatching, delta omega 0

