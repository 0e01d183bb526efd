; The plugin loads into opt, runs by name and by its place in the pipeline, and its passes have names that print.
; RUN: %loopwright-opt -passes=loopwright -S %s -o - | %FileCheck %s
; RUN: %loopwright-opt -passes=loopwright -print-pipeline-passes -disable-output %s | %FileCheck --check-prefix=NAME %s
; RUN: %loopwright-opt -passes='default<O3>' -print-pipeline-passes -disable-output %s | %FileCheck --check-prefix=PLACE %s
; RUN: %loopwright-opt -passes='lto<O3>' -print-pipeline-passes -disable-output %s | %FileCheck --check-prefix=PLACE %s
; RUN: %loopwright-opt -passes='default<O1>' -print-pipeline-passes -disable-output %s | %FileCheck --check-prefix=ABSENT %s

; CHECK: define void @empty()
; CHECK-NEXT: ret void
; NAME: loopwright
; PLACE: loopwright{{.*}}loop-vectorize{{.*}}loopwright-one-lane
; ABSENT-NOT: loopwright
define void @empty() {
  ret void
}
