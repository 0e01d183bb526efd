; Functions without loops, without an end, or without a body.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %s -o %t.ll
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll
; RUN: %loopwright-opt -passes='print<loopwright-scop>' -disable-output %s
declare void @elsewhere()

define void @empty() {
  ret void
}

define void @never() {
  unreachable
}

define i32 @chooses(i32 %n) {
  switch i32 %n, label %a [ i32 1, label %b ]

a:
  ret i32 0

b:
  ret i32 1
}
