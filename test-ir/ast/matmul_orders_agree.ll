; The same loops from all six orders of the matrix product.
;
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %S/matmul_ijk.ll 2>&1 | sed -n '/^for/,$p' > %t.ijk
; RUN: %FileCheck %s < %t.ijk
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %S/matmul_ikj.ll 2>&1 | sed -n '/^for/,$p' | diff %t.ijk -
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %S/matmul_jik.ll 2>&1 | sed -n '/^for/,$p' | diff %t.ijk -
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %S/matmul_jki.ll 2>&1 | sed -n '/^for/,$p' | diff %t.ijk -
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %S/matmul_kij.ll 2>&1 | sed -n '/^for/,$p' | diff %t.ijk -
; RUN: %loopwright-opt -passes='print<loopwright-ast;policy=force>' -disable-output %S/matmul_kji.ll 2>&1 | sed -n '/^for/,$p' | diff %t.ijk -

; CHECK: S0: r0 = fmuladd(A[c0][c2], B[c2][c1], r0);

