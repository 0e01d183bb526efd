; What is no IR is LLVM's error, not ours.
;
; RUN: printf 'BC\300\336garbage' > %t.bc
; RUN: not %loopwright-opt -passes=loopwright -disable-output %t.bc 2>&1 | %FileCheck %s
; RUN: printf 'define void @f() {{' > %t.ll
; RUN: not %loopwright-opt -passes=loopwright -disable-output %t.ll 2>&1 | %FileCheck %s
; RUN: not %loopwright-opt -passes=loopwright -disable-output /dev/null/none 2>&1 | %FileCheck %s

; CHECK: error:
; CHECK-NOT: loopwright-
; CHECK-NOT: panicked

