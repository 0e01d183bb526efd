; Every documented option is taken as a pass parameter, on the command line and from the environment.
;
; RUN: %loopwright-opt -passes='loopwright<policy=auto;fuse=3;seed=3;tile=64x256;cpu=znver4;l1=32k;l2=1m;l3=33554432;budget=1000000;growth=100;max-checks=8>' -S %s | %FileCheck %s
; RUN: %loopwright-opt -loopwright-policy=force -loopwright-fuse=report -loopwright-seed=3 -loopwright-tile=0 -loopwright-cpu=skylake -loopwright-l1=48K -loopwright-l2=2M -loopwright-l3=8m -loopwright-budget=1000000 -loopwright-growth=0 -loopwright-max-checks=0 -passes=loopwright -S %s | %FileCheck %s
; RUN: env LOOPWRIGHT_OPTIONS=policy=random,fuse=lazy,seed=18446744073709551615,tile=1,cpu=x,l1=1,l2=1,l3=1,budget=0,growth=18446744073709551615,max-checks=18446744073709551615 %loopwright-opt -passes=loopwright -S %s | %FileCheck %s
; RUN: %loopwright-opt -passes='loopwright<policy=off>' -S %s | %FileCheck %s
; RUN: %loopwright-opt -passes='loopwright< policy = force ; ; tile = 8 >' -S %s | %FileCheck %s

; CHECK: define void @empty()
define void @empty() {
  ret void
}
