; More statements than one nest may have, no two of them alike.
;
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %s -o %t.ll 2>&1 | %FileCheck %s
; RUN: %opt -passes=loop-simplify,lcssa -S %s | diff - %t.ll

; CHECK: cannot transform the loops: too large: statements in the nest
define void @f(ptr noalias %x) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds [64 x double], ptr %x, i64 %i
  %p0 = getelementptr inbounds double, ptr %p, i64 0
  store double 0.0, ptr %p0
  %p1 = getelementptr inbounds double, ptr %p, i64 1
  store double 1.0, ptr %p1
  %p2 = getelementptr inbounds double, ptr %p, i64 2
  store double 2.0, ptr %p2
  %p3 = getelementptr inbounds double, ptr %p, i64 3
  store double 3.0, ptr %p3
  %p4 = getelementptr inbounds double, ptr %p, i64 4
  store double 4.0, ptr %p4
  %p5 = getelementptr inbounds double, ptr %p, i64 5
  store double 5.0, ptr %p5
  %p6 = getelementptr inbounds double, ptr %p, i64 6
  store double 6.0, ptr %p6
  %p7 = getelementptr inbounds double, ptr %p, i64 7
  store double 7.0, ptr %p7
  %p8 = getelementptr inbounds double, ptr %p, i64 8
  store double 8.0, ptr %p8
  %p9 = getelementptr inbounds double, ptr %p, i64 9
  store double 9.0, ptr %p9
  %p10 = getelementptr inbounds double, ptr %p, i64 10
  store double 10.0, ptr %p10
  %p11 = getelementptr inbounds double, ptr %p, i64 11
  store double 11.0, ptr %p11
  %p12 = getelementptr inbounds double, ptr %p, i64 12
  store double 12.0, ptr %p12
  %p13 = getelementptr inbounds double, ptr %p, i64 13
  store double 13.0, ptr %p13
  %p14 = getelementptr inbounds double, ptr %p, i64 14
  store double 14.0, ptr %p14
  %p15 = getelementptr inbounds double, ptr %p, i64 15
  store double 15.0, ptr %p15
  %p16 = getelementptr inbounds double, ptr %p, i64 16
  store double 16.0, ptr %p16
  %p17 = getelementptr inbounds double, ptr %p, i64 17
  store double 17.0, ptr %p17
  %p18 = getelementptr inbounds double, ptr %p, i64 18
  store double 18.0, ptr %p18
  %p19 = getelementptr inbounds double, ptr %p, i64 19
  store double 19.0, ptr %p19
  %p20 = getelementptr inbounds double, ptr %p, i64 20
  store double 20.0, ptr %p20
  %p21 = getelementptr inbounds double, ptr %p, i64 21
  store double 21.0, ptr %p21
  %p22 = getelementptr inbounds double, ptr %p, i64 22
  store double 22.0, ptr %p22
  %p23 = getelementptr inbounds double, ptr %p, i64 23
  store double 23.0, ptr %p23
  %p24 = getelementptr inbounds double, ptr %p, i64 24
  store double 24.0, ptr %p24
  %p25 = getelementptr inbounds double, ptr %p, i64 25
  store double 25.0, ptr %p25
  %p26 = getelementptr inbounds double, ptr %p, i64 26
  store double 26.0, ptr %p26
  %p27 = getelementptr inbounds double, ptr %p, i64 27
  store double 27.0, ptr %p27
  %p28 = getelementptr inbounds double, ptr %p, i64 28
  store double 28.0, ptr %p28
  %p29 = getelementptr inbounds double, ptr %p, i64 29
  store double 29.0, ptr %p29
  %p30 = getelementptr inbounds double, ptr %p, i64 30
  store double 30.0, ptr %p30
  %p31 = getelementptr inbounds double, ptr %p, i64 31
  store double 31.0, ptr %p31
  %p32 = getelementptr inbounds double, ptr %p, i64 32
  store double 32.0, ptr %p32
  %p33 = getelementptr inbounds double, ptr %p, i64 33
  store double 33.0, ptr %p33
  %p34 = getelementptr inbounds double, ptr %p, i64 34
  store double 34.0, ptr %p34
  %p35 = getelementptr inbounds double, ptr %p, i64 35
  store double 35.0, ptr %p35
  %p36 = getelementptr inbounds double, ptr %p, i64 36
  store double 36.0, ptr %p36
  %p37 = getelementptr inbounds double, ptr %p, i64 37
  store double 37.0, ptr %p37
  %p38 = getelementptr inbounds double, ptr %p, i64 38
  store double 38.0, ptr %p38
  %p39 = getelementptr inbounds double, ptr %p, i64 39
  store double 39.0, ptr %p39
  %p40 = getelementptr inbounds double, ptr %p, i64 40
  store double 40.0, ptr %p40
  %p41 = getelementptr inbounds double, ptr %p, i64 41
  store double 41.0, ptr %p41
  %p42 = getelementptr inbounds double, ptr %p, i64 42
  store double 42.0, ptr %p42
  %p43 = getelementptr inbounds double, ptr %p, i64 43
  store double 43.0, ptr %p43
  %p44 = getelementptr inbounds double, ptr %p, i64 44
  store double 44.0, ptr %p44
  %p45 = getelementptr inbounds double, ptr %p, i64 45
  store double 45.0, ptr %p45
  %p46 = getelementptr inbounds double, ptr %p, i64 46
  store double 46.0, ptr %p46
  %p47 = getelementptr inbounds double, ptr %p, i64 47
  store double 47.0, ptr %p47
  %p48 = getelementptr inbounds double, ptr %p, i64 48
  store double 48.0, ptr %p48
  %next = add nuw nsw i64 %i, 1
  %over = icmp eq i64 %next, 100
  br i1 %over, label %end, label %loop

end:
  ret void
}
