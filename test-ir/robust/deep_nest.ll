; Thirty loops inside each other: the compilation ends, transformed or left alone with a reason.
;
; RUN: python3 %S/Inputs/deep_nest.py 30 > %t.in.ll
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks=loopwright -pass-remarks-missed=loopwright -verify-each -S %t.in.ll -o %t.ll 2>&1 | %FileCheck %s

; CHECK: remark: {{.*}}{{predicted|left the loops as they are|cannot transform the loops}}

