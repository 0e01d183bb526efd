; A cycle with two entries.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %s -o %t.ll
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll
define void @f(i1 %c, i64 %n, ptr noalias %x) {
entry:
  br i1 %c, label %a, label %b

a:
  %i = phi i64 [ 0, %entry ], [ %next, %b ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  store double 1.0, ptr %p
  br label %b

b:
  %j = phi i64 [ 5, %entry ], [ %i, %a ]
  %next = add nuw nsw i64 %j, 1
  %over = icmp uge i64 %next, %n
  br i1 %over, label %end, label %a

end:
  ret void
}
