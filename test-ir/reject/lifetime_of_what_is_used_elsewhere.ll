; The lifetime of an array starts in the loop, but a cell of it is used behind, where the new code would have ended it. Twin: without that use.
;
;     double f(long n, double *restrict x) {
;         double t[8]; // lives from the first line of the loop on
;         for (long i = 0; i < n; i++) {
;             for (long j = 0; j < 8; j++) t[j] = x[8 * i + j];
;             for (long j = 0; j < 8; j++) x[8 * i + j] = t[7 - j];
;         }
;         return t[3];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: sed -e 's/double, ptr %cell/double, ptr %x/' %s | %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks=loopwright -S -o %t.ll 2>&1 | %FileCheck %s --check-prefix=TWIN

; CHECK: cannot transform the loops: the loop contains the lifetime of an array that is used elsewhere, too, which may have other effects than computing a value
; TWIN: as fast; 1 run-time check with the original loops as the other branch
define double @f(i64 %n, ptr noalias %x) {
entry:
  %t = alloca [8 x double], align 16
  %cell = getelementptr inbounds [8 x double], ptr %t, i64 0, i64 3
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %loop.pre, label %end

loop.pre:
  br label %loop

loop:
  %i = phi i64 [ 0, %loop.pre ], [ %i.next, %latch ]
  call void @llvm.lifetime.start.p0(ptr %t)
  %first = shl nsw i64 %i, 3
  br label %in

in:
  %j = phi i64 [ 0, %loop ], [ %j.next, %in ]
  %at = add nsw i64 %first, %j
  %from = getelementptr inbounds double, ptr %x, i64 %at
  %v = load double, ptr %from, align 8
  %to = getelementptr inbounds [8 x double], ptr %t, i64 0, i64 %j
  store double %v, ptr %to, align 8
  %j.next = add nuw nsw i64 %j, 1
  %in.done = icmp eq i64 %j.next, 8
  br i1 %in.done, label %between, label %in

between:
  br label %out

out:
  %k = phi i64 [ 0, %between ], [ %k.next, %out ]
  %last = sub nsw i64 7, %k
  %kept = getelementptr inbounds [8 x double], ptr %t, i64 0, i64 %last
  %w = load double, ptr %kept, align 8
  %there = add nsw i64 %first, %k
  %back = getelementptr inbounds double, ptr %x, i64 %there
  store double %w, ptr %back, align 8
  %k.next = add nuw nsw i64 %k, 1
  %out.done = icmp eq i64 %k.next, 8
  br i1 %out.done, label %latch, label %out

latch:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %end.loop, label %loop

end.loop:
  br label %end

end:
  %r = load double, ptr %cell, align 8
  ret double %r
}

declare void @llvm.lifetime.start.p0(ptr)
