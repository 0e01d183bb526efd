; Two thousand loops, half of them one after the other in a function, half in a loop: the compilation ends, and what is written is valid.
;
; RUN: python3 %S/Inputs/many_loops.py 1000 > %t.in.ll
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -verify-each -S %t.in.ll | %FileCheck %s

; CHECK: define void @f(
; CHECK: define void @g(

