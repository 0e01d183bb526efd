; The pass prints with its parameters, and what is printed is read again.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force;tile=8>' -print-pipeline-passes -disable-output %s | %FileCheck %s
; RUN: %loopwright-opt -passes='function(loopwright<policy=force;tile=8>)' -print-pipeline-passes -disable-output %s > %t.text
; RUN: xargs -I TEXT %loopwright-opt -passes=TEXT -print-pipeline-passes -disable-output %s < %t.text | %FileCheck %s
; RUN: %loopwright-opt -passes=loopwright -print-pipeline-passes -disable-output %s | %FileCheck --check-prefix=BARE %s

; CHECK: loopwright<policy=force;tile=8>
; BARE: loopwright{{[^<]}}
define void @empty() {
  ret void
}
