; The same loops from both forms of the triangular solve, in both layouts.
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %S/trisolve_from_n_plus_1.ll 2> %t.plus
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %S/trisolve_from_zero.ll 2> %t.zero
; RUN: %FileCheck %s < %t.plus
; RUN: diff %t.plus %t.zero
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %S/trisolve_column_major.ll 2> %t.plus
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %S/trisolve_column_major_from_zero.ll 2> %t.zero
; RUN: %FileCheck %s < %t.plus
; RUN: diff %t.plus %t.zero

; CHECK: hold r{{[0-9]}} = A[{{.*}}] (store) {

