; Two thousand loops, half of them one after the other in a function, half in a loop: the compilation ends, and what is written is valid.
;
; RUN: python3 %S/Inputs/many_loops.py 1000 > %t.in.ll
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -verify-each -S %t.in.ll | %FileCheck %s
; RUN: python3 %S/Inputs/many_loops.py 10000 > %t.in.ll
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -disable-output %t.in.ll 2>&1 | %FileCheck --check-prefix=LATE %s

; LATE: conditions in front of the loop

; CHECK: define void @f(
; CHECK: define void @g(

