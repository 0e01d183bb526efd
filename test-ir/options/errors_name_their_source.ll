; An error says where the wrong option stands.
;
; RUN: not %loopwright-opt -passes='loopwright<speed=11>' -disable-output %s 2>&1 | %FileCheck --check-prefix=PARAMETER %s
; RUN: not %loopwright-opt -loopwright-policy=fast -passes=loopwright -disable-output %s 2>&1 | %FileCheck --check-prefix=LINE %s
; RUN: not %loopwright-opt -loopwright-speed=11 -passes=loopwright -disable-output %s 2>&1 | %FileCheck --check-prefix=UNKNOWN %s
; RUN: not env LOOPWRIGHT_OPTIONS=speed=11 %loopwright-opt -passes=loopwright -disable-output %s 2>&1 | %FileCheck --check-prefix=ENVIRONMENT %s
; RUN: not env LOOPWRIGHT_OPTIONS=policy=force,tile=many %loopwright-opt -passes=loopwright -disable-output %s 2>&1 | %FileCheck --check-prefix=VALUE %s

; PARAMETER: unknown option 'speed' (known: policy, fuse, seed, tile, cpu, l1, l2, l3, budget, growth, stats, max-checks)
; LINE: -loopwright-policy: option 'policy': expected auto, force, kernels, random or off, got 'fast'
; UNKNOWN: Unknown command line argument '-loopwright-speed=11'
; ENVIRONMENT: LOOPWRIGHT_OPTIONS: unknown option 'speed' (known: policy, fuse, seed, tile, cpu, l1, l2, l3, budget, growth, stats, max-checks)
; VALUE: LOOPWRIGHT_OPTIONS: option 'tile': expected sizes like 32 or 64x256
define void @f(ptr %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  store double 1.0, ptr %p
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, 100
  br i1 %over, label %end, label %loop

end:
  ret void
}
