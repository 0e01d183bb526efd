; LLVM's verifier accepts every kind of loops that is made: tiles, skewed, held, split, fused, shifted.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force;tile=8>' -verify-each -S %S/../ast/tiles.ll | %FileCheck %s
; RUN: %loopwright-opt -passes='loopwright<policy=force;tile=8>' -verify-each -S %S/../ast/tiles_triangle.ll | %FileCheck %s
; RUN: %loopwright-opt -passes='loopwright<policy=force;tile=32>' -verify-each -S %S/../ast/skew_jacobi.ll | %FileCheck %s
; RUN: %loopwright-opt -passes='loopwright<policy=force;tile=32>' -verify-each -S %S/../ast/skew_seidel.ll | %FileCheck %s
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -verify-each -S %S/../ast/trisolve_column_major.ll | %FileCheck %s
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -verify-each -S %S/../ast/fission.ll | %FileCheck %s
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -verify-each -S %S/../ast/fusion_shifted.ll | %FileCheck %s
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -verify-each -S %S/../scop/memcpy.ll | %FileCheck %s
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -verify-each -S %S/../scop/reduction_in_phi.ll | %FileCheck %s

; CHECK: lw.loop:

