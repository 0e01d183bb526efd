; A value that does not fit is an error that says what would, whichever option it is.
;
; RUN: not %loopwright-opt -passes='loopwright<policy>' -disable-output %s 2>&1 | %FileCheck --check-prefix=POLICY %s
; RUN: not %loopwright-opt -passes='loopwright<seed=-1>' -disable-output %s 2>&1 | %FileCheck --check-prefix=SEED %s
; RUN: not %loopwright-opt -passes='loopwright<tile=32x>' -disable-output %s 2>&1 | %FileCheck --check-prefix=TILE %s
; RUN: not %loopwright-opt -passes='loopwright<tile=-8>' -disable-output %s 2>&1 | %FileCheck --check-prefix=TILE %s
; RUN: not %loopwright-opt -passes='loopwright<cpu=>' -disable-output %s 2>&1 | %FileCheck --check-prefix=CPU %s
; RUN: not %loopwright-opt -passes='loopwright<l1=0>' -disable-output %s 2>&1 | %FileCheck --check-prefix=L1 %s
; RUN: not %loopwright-opt -passes='loopwright<l2=99999999999999999999>' -disable-output %s 2>&1 | %FileCheck --check-prefix=L2 %s
; RUN: not %loopwright-opt -passes='loopwright<l3=8g>' -disable-output %s 2>&1 | %FileCheck --check-prefix=L3 %s
; RUN: not %loopwright-opt -passes='loopwright<budget=much>' -disable-output %s 2>&1 | %FileCheck --check-prefix=BUDGET %s
; RUN: not %loopwright-opt -passes='loopwright<max-checks=1.5>' -disable-output %s 2>&1 | %FileCheck --check-prefix=CHECKS %s

; POLICY: option 'policy': expected auto, force, kernels, random or off, got ''
; SEED: option 'seed': expected a whole number, got '-1'
; TILE: option 'tile': expected sizes like 32 or 64x256, or 0 for the model's choice, got '
; CPU: option 'cpu': expected a CPU name as in -march, got ''
; L1: option 'l1': expected bytes, or with k or m behind, got '0'
; L2: option 'l2': expected bytes, or with k or m behind, got '99999999999999999999'
; L3: option 'l3': expected bytes, or with k or m behind, got '8g'
; BUDGET: option 'budget': expected a whole number of steps, got 'much'
; CHECKS: option 'max-checks': expected a whole number, got '1.5'
define void @empty() {
  ret void
}
