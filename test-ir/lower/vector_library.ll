; Calls of a vector library in vectors of our own.
;
; RUN: %loopwright-opt -vector-library=LIBMVEC -passes='loopwright<policy=force;lanes=8>' -S %s | %FileCheck %s --check-prefixes=CHECK,EIGHT
; RUN: %loopwright-opt -vector-library=LIBMVEC -passes='loopwright<policy=force;lanes=3>' -S %s | %FileCheck %s --check-prefixes=CHECK,THREE
; RUN: %loopwright-opt -passes='loopwright<policy=force;lanes=8>' -S %s | %FileCheck %s --check-prefix=NONE
;
; What is not kept leaves no declaration behind.
; RUN: %loopwright-opt -vector-library=LIBMVEC -passes='loopwright<policy=force;lanes=8;panic=lower>' -S %s | %FileCheck %s --check-prefix=DROPPED
; DROPPED-NOT: declare {{.*}}_ZGV

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Wider vectors are cut, with what does not depend on the lane in all of them; of a call that does more lanes than there are, the first ones count.
;
;     for (long i = 0; i < n; i++) y[i] = pow(x[i], a);
;
; CHECK-LABEL: define void @power(
; EIGHT: [[A:%.*]] = shufflevector <8 x double> {{.*}}, <8 x i32> zeroinitializer
; EIGHT: [[X0:%.*]] = shufflevector <8 x double> [[X:%.*]], <8 x double> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; EIGHT: [[A0:%.*]] = shufflevector <8 x double> [[A]], <8 x double> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; EIGHT: [[R0:%.*]] = call afn <4 x double> @_ZGVdN4vv_pow(<4 x double> [[X0]], <4 x double> [[A0]])
; EIGHT: [[X1:%.*]] = shufflevector <8 x double> [[X]], <8 x double> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
; EIGHT: [[R1:%.*]] = call afn <4 x double> @_ZGVdN4vv_pow(<4 x double> [[X1]],
; EIGHT: shufflevector <4 x double> [[R0]], <4 x double> [[R1]], <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; THREE: [[X0:%.*]] = shufflevector <3 x double> {{.*}}, <3 x double> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 2>
; THREE: [[R0:%.*]] = call afn <4 x double> @_ZGVdN4vv_pow(<4 x double> [[X0]],
; THREE: shufflevector <4 x double> [[R0]], <4 x double> poison, <3 x i32> <i32 0, i32 1, i32 2>
; NONE-LABEL: define void @power(
; NONE-NOT: x double>
; NONE: {{^}}}
define void @power(i64 %n, double %a, ptr noalias %x, ptr noalias %y) "target-features"="+avx2" {
entry:
  %guard = icmp sgt i64 %n, 0
  br i1 %guard, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px, align 8
  %v = call afn double @llvm.pow.f64(double %vx, double %a)
  %py = getelementptr inbounds double, ptr %y, i64 %i
  store double %v, ptr %py, align 8
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; As wide as the function's registers, not as the library goes.
;
;     for (long i = 0; i < n; i++) y[i] = expf(x[i]);
;
; CHECK-LABEL: define void @narrow(
; EIGHT: call afn <4 x float> @_ZGVbN4v_expf(<4 x float>
; EIGHT: call afn <4 x float> @_ZGVbN4v_expf(<4 x float>
; THREE: call afn <4 x float> @_ZGVbN4v_expf(<4 x float>
define void @narrow(i64 %n, ptr noalias %x, ptr noalias %y) {
entry:
  %guard = icmp sgt i64 %n, 0
  br i1 %guard, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %px = getelementptr inbounds float, ptr %x, i64 %i
  %vx = load float, ptr %px, align 4
  %v = call afn float @llvm.exp.f32(float %vx)
  %py = getelementptr inbounds float, ptr %y, i64 %i
  store float %v, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; Who does not take any result gets that of the loop as it is.
;
; CHECK-LABEL: define void @exact(
; CHECK-NOT: x double>
; CHECK: {{^}}}
define void @exact(i64 %n, ptr noalias %x, ptr noalias %y) "target-features"="+avx2" {
entry:
  %guard = icmp sgt i64 %n, 0
  br i1 %guard, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px, align 8
  %v = call double @llvm.exp.f64(double %vx)
  %py = getelementptr inbounds double, ptr %y, i64 %i
  store double %v, ptr %py, align 8
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; A name that the program has for something else is not called.
;
; CHECK-LABEL: define void @taken(
; CHECK-NOT: @_ZGVdN4v_sin
; CHECK: call afn <2 x double> @_ZGVbN2v_sin(
; CHECK-NOT: @_ZGVdN4v_sin
; CHECK: {{^}}}
@_ZGVdN4v_sin = external global i32
define void @taken(i64 %n, ptr noalias %x, ptr noalias %y) "target-features"="+avx2" {
entry:
  %guard = icmp sgt i64 %n, 0
  br i1 %guard, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %px = getelementptr inbounds double, ptr %x, i64 %i
  %vx = load double, ptr %px, align 8
  %v = call afn double @llvm.sin.f64(double %vx)
  %py = getelementptr inbounds double, ptr %y, i64 %i
  store double %v, ptr %py, align 8
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret void
}

; As LLVM declares it: what it does not do is known.
; CHECK-DAG: declare <4 x double> @_ZGVdN4vv_pow(<4 x double>, <4 x double>) [[PURE:#[0-9]+]]
; CHECK-DAG: attributes [[PURE]] = { {{.*}}nounwind{{.*}}willreturn memory(none)
