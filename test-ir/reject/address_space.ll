; Addresses relative to a segment tell nothing about which cells are the same as those of others.
;
;     void f(long n, double *x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             for (long j = 0; j < n; j++)
;                 y[j] += x[i];
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: pointers into an address space of their own are not supported

target datalayout = "e-m:e-p256:64:64-i64:64"

define void @f(i64 %n, ptr addrspace(256) %x, ptr addrspace(256) noalias %y) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %outer, label %exit

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %px = getelementptr inbounds double, ptr addrspace(256) %x, i64 %i
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %a = load double, ptr addrspace(256) %px
  %py = getelementptr inbounds double, ptr addrspace(256) %y, i64 %j
  %b = load double, ptr addrspace(256) %py
  %sum = fadd double %a, %b
  store double %sum, ptr addrspace(256) %py
  %j.next = add nsw i64 %j, 1
  %more = icmp slt i64 %j.next, %n
  br i1 %more, label %inner, label %outer.end

outer.end:
  %i.next = add nsw i64 %i, 1
  %again = icmp slt i64 %i.next, %n
  br i1 %again, label %outer, label %exit

exit:
  ret void
}
