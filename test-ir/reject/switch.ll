; A switch in the loop.
;
;     void f(long n, long k, double *restrict x, double *restrict y) {
;         for (long i = 0; i < n; i++)
;             switch ((i + k) & 7) {
;             case 0: x[i] = 1.0 / y[i]; break;
;             case 1: y[i] = 3.0 / x[i]; break;
;             case 2: x[i] = x[i] / 5.0; y[2 * i] = 1; break;
;             case 5: y[i] = y[i] / 7.0; x[3 * i] = 1; break;
;             }
;     }
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: the control flow is not supported: a switch, return, or call that may not come back
define void @f(i64 %n, i64 %k, ptr noalias %x, ptr noalias %y) {
entry:
  %cmp37 = icmp sgt i64 %n, 0
  br i1 %cmp37, label %body.pre, label %end

body.pre:
  br label %body

end.1:
  br label %end

end:
  ret void

body:
  %i.038 = phi i64 [ %inc, %for.inc ], [ 0, %body.pre ]
  %add = add nsw i64 %i.038, %k
  %and = and i64 %add, 7
  switch i64 %and, label %for.inc [
    i64 0, label %sw.bb
    i64 1, label %sw.bb2
    i64 2, label %sw.bb6
    i64 5, label %sw.bb11
  ]

sw.bb:
  %p = getelementptr inbounds nuw double, ptr %y, i64 %i.038
  %v0 = load double, ptr %p, align 8
  %div = fdiv double 1.000000e+00, %v0
  %p1 = getelementptr inbounds nuw double, ptr %x, i64 %i.038
  store double %div, ptr %p1, align 8
  br label %for.inc

sw.bb2:
  %p3 = getelementptr inbounds nuw double, ptr %x, i64 %i.038
  %v1 = load double, ptr %p3, align 8
  %div4 = fdiv double 3.000000e+00, %v1
  %p5 = getelementptr inbounds nuw double, ptr %y, i64 %i.038
  store double %div4, ptr %p5, align 8
  br label %for.inc

sw.bb6:
  %p7 = getelementptr inbounds nuw double, ptr %x, i64 %i.038
  %v2 = load double, ptr %p7, align 8
  %div8 = fdiv double %v2, 5.000000e+00
  store double %div8, ptr %p7, align 8
  %p10.idx = shl nsw i64 %i.038, 4
  %p10 = getelementptr inbounds nuw i8, ptr %y, i64 %p10.idx
  store double 1.000000e+00, ptr %p10, align 8
  br label %for.inc

sw.bb11:
  %p12 = getelementptr inbounds nuw double, ptr %y, i64 %i.038
  %v3 = load double, ptr %p12, align 8
  %div13 = fdiv double %v3, 7.000000e+00
  store double %div13, ptr %p12, align 8
  %p16.idx = mul nuw nsw i64 %i.038, 24
  %p16 = getelementptr inbounds nuw i8, ptr %x, i64 %p16.idx
  store double 1.000000e+00, ptr %p16, align 8
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %i.038, 1
  %done.not = icmp eq i64 %inc, %n
  br i1 %done.not, label %end.1, label %body
}
