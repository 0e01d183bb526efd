; Copies in memory from the heap, and what runs when there is none.
;
;     for (long i = 0; i < n; i++) y[i] = a * x[i] + y[i];
;
; RUN: %loopwright-opt -passes='loopwright<policy=force;lanes=4;pack>' -S %s | %FileCheck %s

; What the function said of itself is not true any more, and not said any more.
; CHECK-LABEL: define void @copies(
; CHECK-SAME: ptr noalias %y) {
; CHECK: lw.ask:
; CHECK: [[P:%.*]] = call {{.*}}ptr @malloc(i64 {{.*}}384)
; CHECK: icmp eq i64 {{.*}}, 0
; CHECK: br i1 {{.*}}, label %lw.else, label %lw.scratch
; CHECK: lw.scratch:
; CHECK: [[ROOM:%.*]] = and i64 {{.*}}, 63
; CHECK: getelementptr i8, ptr [[P]], i64 [[ROOM]]
; CHECK: lw.else:
; CHECK: call <4 x double> @llvm.masked.load
; CHECK: store <4 x double> {{.*}}, align 32, !alias.scope [[BUFFER:![0-9]+]], !noalias
; CHECK: load <4 x double>, ptr {{.*}}, align 32, !alias.scope [[BUFFER]], !noalias
; CHECK: call void @free(ptr {{.*}}[[P]])
; CHECK-NOT: align 32
; CHECK: {{^}}}
define void @copies(i64 %n, double %a, ptr noalias %x, ptr noalias %y) nofree nosync memory(argmem: readwrite) {
entry:
  %guard = icmp sgt i64 %n, 0
  br i1 %guard, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px, align 8
  %py = getelementptr inbounds double, ptr %y, i64 %i
  %vy = load double, ptr %py, align 8
  %v = call double @llvm.fmuladd.f64(double %a, double %vx, double %vy)
  store double %v, ptr %py, align 8
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; The twin that may not call library functions.
; CHECK-LABEL: define void @alone(
; CHECK-SAME: #[[TWIN:[0-9]+]]
; CHECK-NOT: @malloc
; CHECK: store <4 x double>
; CHECK-NOT: @malloc
; CHECK: {{^}}}
define void @alone(i64 %n, double %a, ptr noalias %x, ptr noalias %y) nofree nosync memory(argmem: readwrite) "no-builtins" {
entry:
  %guard = icmp sgt i64 %n, 0
  br i1 %guard, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px, align 8
  %py = getelementptr inbounds double, ptr %y, i64 %i
  %vy = load double, ptr %py, align 8
  %v = call double @llvm.fmuladd.f64(double %a, double %vx, double %vy)
  store double %v, ptr %py, align 8
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; CHECK: attributes #[[TWIN]] = { nofree nosync memory(argmem: readwrite) "no-builtins" }

declare double @llvm.fmuladd.f64(double, double, double)
