; Vectors of our own: how cells and values become lanes.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force;lanes=4>' -S %s | %FileCheck %s

; Neighbours: vectors, with the alignment of a cell. The factor is the same for all lanes. What is left at the end has a mask.
;
;     for (long i = 0; i < n; i++) y[i] = a * x[i] + y[i];
;
; CHECK-LABEL: define void @contiguous(
; CHECK: lw.loop:
; CHECK: load <4 x double>, ptr {{.*}}, align 8, !alias.scope
; CHECK: load <4 x double>, ptr {{.*}}, align 8
; CHECK: [[A:%.*]] = shufflevector <4 x double> {{.*}} zeroinitializer
; CHECK: [[R:%.*]] = call <4 x double> @llvm.fmuladd.v4f64(<4 x double> {{.*}}, <4 x double> {{.*}}, <4 x double>
; CHECK: store <4 x double> [[R]], ptr {{.*}}, align 8
; CHECK: br i1 {{.*}}, !llvm.loop [[NO_MORE:![0-9]+]]
; CHECK: [[TO:%.*]] = trunc i64 {{.*}} to i32
; CHECK: [[MASK:%.*]] = icmp slt <4 x i32> <i32 0, i32 1, i32 2, i32 3>,
; CHECK: call <4 x double> @llvm.masked.load.v4f64.p0(ptr align 8 {{.*}}, <4 x i1> [[MASK]], <4 x double> zeroinitializer)
; CHECK: call void @llvm.masked.store.v4f64.p0(<4 x double> {{.*}}, ptr align 8 {{.*}}, <4 x i1> [[MASK]])
define void @contiguous(i64 %n, double %a, ptr noalias %x, ptr noalias %y) {
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

; Backwards: the last lane's cell comes first.
;
;     for (long i = 0; i < n; i++) y[i] = x[n - i];
;
; CHECK-LABEL: define void @backwards(
; CHECK: [[V:%.*]] = load <4 x float>, ptr {{.*}}, align 4
; CHECK: [[R:%.*]] = shufflevector <4 x float> [[V]], <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
; CHECK: store <4 x float> [[R]]
; CHECK: shufflevector <4 x i1> {{.*}} <i32 3, i32 2, i32 1, i32 0>
; CHECK: call <4 x float> @llvm.masked.load
define void @backwards(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %guard = icmp sgt i64 %n, 0
  br i1 %guard, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %back = sub nsw i64 %n, %i
  %px = getelementptr inbounds float, ptr %x, i64 %back
  %vx = load float, ptr %px, align 4
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %vx, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Strides: a load a lane; gathers where only some run.
;
;     for (long i = 0; i < n; i++) y[3 * i] = x[2 * i];
;
; CHECK-LABEL: define void @strided(
; CHECK-COUNT-4: load i64
; CHECK: insertelement <4 x i64> {{.*}}, i64 3
; CHECK-COUNT-4: store i64
; CHECK: call <2 x i64> @llvm.masked.gather.v2i64.v2p0(
; CHECK: call <2 x i64> @llvm.masked.gather.v2i64.v2p0(
; CHECK: call void @llvm.masked.scatter.v2i64.v2p0(
define void @strided(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %guard = icmp sgt i64 %n, 0
  br i1 %guard, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %two = shl nuw nsw i64 %i, 1
  %px = getelementptr inbounds i64, ptr %x, i64 %two
  %vx = load i64, ptr %px, align 8
  %three = mul nuw nsw i64 %i, 3
  %py = getelementptr inbounds i64, ptr %y, i64 %three
  store i64 %vx, ptr %py, align 8
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; A choice, numbers of iterations, and a division, which lanes that do not run do by 1.
;
;     for (long i = 0; i < n; i++) y[i] = a / ((int)i < x[i] ? x[i] : 7) + a / 7;
;
; CHECK-LABEL: define void @integers(
; CHECK: [[L:%.*]] = add <4 x i64> {{.*}}, <i64 0, i64 1, i64 2, i64 3>
; CHECK: [[I:%.*]] = trunc <4 x i64> [[L]] to <4 x i32>
; CHECK: [[X:%.*]] = load <4 x i32>
; CHECK: [[C:%.*]] = icmp slt <4 x i32> [[I]], [[X]]
; CHECK: [[S:%.*]] = select <4 x i1> [[C]], <4 x i32> [[X]], <4 x i32> splat (i32 7)
; CHECK: [[D:%.*]] = sdiv <4 x i32> {{.*}}, [[S]]
; CHECK: [[Q:%.*]] = sdiv i32 %a, 7
; CHECK: [[SAFE:%.*]] = select <4 x i1> {{.*}}, <4 x i32> {{.*}}, <4 x i32> splat (i32 1)
; CHECK: sdiv <4 x i32> {{.*}}, [[SAFE]]
define void @integers(i64 %n, i32 %a, ptr noalias %x, ptr noalias %y) {
entry:
  %guard = icmp sgt i64 %n, 0
  br i1 %guard, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %px = getelementptr inbounds i32, ptr %x, i64 %i
  %vx = load i32, ptr %px, align 4
  %t = trunc i64 %i to i32
  %c = icmp slt i32 %t, %vx
  %s = select i1 %c, i32 %vx, i32 7
  %d = sdiv i32 %a, %s
  %q = sdiv i32 %a, 7
  %v = add i32 %d, %q
  %py = getelementptr inbounds i32, ptr %y, i64 %i
  store i32 %v, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; A cell in a register over an inner loop: a vector in a phi.
;
;     for (long j = 0; j < n; j++) for (long k = 0; k < m; k++) y[j] += a[k] * b[k * n + j];
;
; CHECK-LABEL: define void @held(
; CHECK: [[START:%.*]] = load <4 x double>
; CHECK: phi <4 x double> [ [[START]], {{.*}} ], [ [[NEXT:%.*]],
; CHECK: load double, ptr
; CHECK: [[NEXT]] = call <4 x double> @llvm.fmuladd.v4f64(
; CHECK: br i1 {{.*}}, !llvm.loop [[INNER:![0-9]+]]
; CHECK: store <4 x double> [[NEXT]]
define void @held(i64 %n, i64 %m, ptr noalias %a, ptr noalias %b, ptr noalias %y) {
entry:
  %g = icmp sgt i64 %n, 0
  %h = icmp sgt i64 %m, 0
  %guard = and i1 %g, %h
  br i1 %guard, label %outer, label %end
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %latch ]
  %py = getelementptr inbounds double, ptr %y, i64 %j
  br label %loop
loop:
  %k = phi i64 [ 0, %outer ], [ %next, %loop ]
  %pa = getelementptr inbounds double, ptr %a, i64 %k
  %va = load double, ptr %pa, align 8
  %row = mul nsw i64 %k, %n
  %at = add nsw i64 %row, %j
  %pb = getelementptr inbounds double, ptr %b, i64 %at
  %vb = load double, ptr %pb, align 8
  %vy = load double, ptr %py, align 8
  %v = call double @llvm.fmuladd.f64(double %va, double %vb, double %vy)
  store double %v, ptr %py, align 8
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, %m
  br i1 %done, label %latch, label %loop
latch:
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %n
  br i1 %j.done, label %end, label %outer
end:
  ret void
}

; LLVM leaves these loops alone.
; CHECK: [[NO_MORE]] = distinct !{[[NO_MORE]], !{{[0-9]+}}, [[VECTORS:![0-9]+]], [[ROLLED:![0-9]+]], !
; CHECK: [[VECTORS]] = !{!"llvm.loop.isvectorized", i32 1}
; CHECK: [[ROLLED]] = !{!"llvm.loop.unroll.disable"}

declare double @llvm.fmuladd.f64(double, double, double)
