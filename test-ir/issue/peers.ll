; Wrong code that other loop optimisers have made, in the IR that showed it or in IR with the same cause; README.md has the table. Each function writes to an array that
; @main prints: as it is, and after the plugin.
;
; RUN: %clang -O0 -w %s -o %t.plain && %t.plain > %t.expected
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -S %s -o %t.ll && %clang -O1 -w %t.ll -o %t.exe && %t.exe > %t.out && diff %t.expected %t.out
; RUN: %loopwright-opt -passes='loopwright<policy=kernels>' -S %s -o %t.ll && %clang -O1 -w %t.ll -o %t.exe && %t.exe > %t.out && diff %t.expected %t.out
; RUN: %loopwright-opt -passes='loopwright<policy=random;seed=1>' -S %s -o %t.ll && %clang -O1 -w %t.ll -o %t.exe && %t.exe > %t.out && diff %t.expected %t.out
; RUN: %loopwright-opt -passes='loopwright<policy=random;seed=2>' -S %s -o %t.ll && %clang -O1 -w %t.ll -o %t.exe && %t.exe > %t.out && diff %t.expected %t.out
; RUN: %loopwright-opt -passes='loopwright<policy=force;tile=4>' -S %s -o %t.ll && %clang -O1 -w %t.ll -o %t.exe && %t.exe > %t.out && diff %t.expected %t.out
; RUN: %loopwright-clang -O3 -w -mllvm -loopwright-policy=force %s -o %t.exe && %t.exe > %t.out && diff %t.expected %t.out
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks=loopwright -disable-output %s 2>&1 | %FileCheck %s

; Some of these nests can be transformed, and are.
; CHECK: remark


@pool = internal global [65536 x i8] zeroinitializer, align 16
@line = internal constant [15 x i8] c"%s %lld: %llx\0A\00"
declare i32 @printf(ptr, ...)
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.umin.i32(i32, i32)

; Starts everything afresh.
define internal void @fill() optnone noinline {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i8, ptr @pool, i64 %i
  %x = mul i64 %i, 37
  %y = urem i64 %x, 251
  %b = trunc i64 %y to i8
  store i8 %b, ptr %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 65536
  br i1 %more, label %loop, label %done
done:
  ret void
}

define internal void @show(ptr %name, i64 %n) optnone noinline {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %h = phi i64 [ 1, %entry ], [ %h2, %loop ]
  %at = getelementptr i8, ptr @pool, i64 %i
  %b = load i8, ptr %at
  %z = zext i8 %b to i64
  %x = xor i64 %h, %z
  %h2 = mul i64 %x, 1099511628211
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 65536
  br i1 %more, label %loop, label %done
done:
  call i32 (ptr, ...) @printf(ptr @line, ptr %name, i64 %n, i64 %h2)
  call void @fill()
  ret void
}

; DependenceAnalysis 150604: the stride may be negative; A[k*i] and A[k*(i+1)] meet in the step before or behind.
define void @both_ends_of_a_step(ptr %A, i64 %k, i64 %n) noinline {
entry:
  %none = icmp slt i64 %n, 1
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %i.next = add i64 %i, 1
  %s0 = mul i64 %i, %k
  %s1 = mul i64 %i.next, %k
  %p0 = getelementptr i8, ptr %A, i64 %s0
  %p1 = getelementptr i8, ptr %A, i64 %s1
  %x = trunc i64 %i to i8
  store i8 %x, ptr %p0
  store i8 42, ptr %p1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; DependenceAnalysis 162281: A[s*i + 100] and A[s*i + 102] with s = INT64_MAX go down by one, modulo 2^64, and meet.
define void @largest_stride(ptr %A, i64 %s, i64 %n) noinline {
entry:
  %none = icmp slt i64 %n, 1
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %bit = and i64 %i, 1
  %even = icmp eq i64 %bit, 0
  br i1 %even, label %then, label %latch
then:
  %o = mul i64 %s, %i
  %o0 = add i64 %o, 100
  %o1 = add i64 %o, 102
  %p0 = getelementptr i8, ptr %A, i64 %o0
  %p1 = getelementptr i8, ptr %A, i64 %o1
  store i8 1, ptr %p0
  store i8 2, ptr %p1
  br label %latch
latch:
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; DependenceAnalysis 164246: `offset` only runs where it is not negative, its no-wrap flags hold there alone, and both stores meet.
define void @flags_where_it_runs(ptr %A, i64 %n) noinline {
entry:
  %none = icmp slt i64 %n, 1
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %offset = phi i64 [ -2, %entry ], [ %offset.next, %latch ]
  %in = icmp sge i64 %offset, 0
  br i1 %in, label %then, label %latch
then:
  %p0 = getelementptr inbounds nuw i8, ptr %A, i64 %offset
  store i8 1, ptr %p0
  br label %latch
latch:
  %p1 = getelementptr i8, ptr %A, i64 %i
  %x = load i8, ptr %p1
  %y = mul i8 %x, 3
  store i8 %y, ptr %p1
  %i.next = add nuw nsw i64 %i, 1
  %offset.next = add nsw i64 %offset, 2
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; DependenceAnalysis 157085: the numbers that an exact test works with leave 64 bits although every address is near.
define void @huge_coefficients(ptr %A, i64 %n) noinline {
entry:
  %none = icmp slt i64 %n, 1
  br i1 %none, label %exit, label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %a = mul i64 %i, 6148914691236517206
  %a1 = mul i64 %a, 3
  %b = mul i64 %i, -3
  %b1 = add i64 %b, 1000
  %p0 = getelementptr i8, ptr %A, i64 %a1
  %p1 = getelementptr i8, ptr %A, i64 %b1
  %x = load i8, ptr %p1
  %y = add i8 %x, 5
  store i8 %y, ptr %p0
  store i8 %x, ptr %p1
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Delinearisation 169048: rows of 2^62 bytes: A[0][j] and A[4][j] are the same cell.
define void @rows_that_wrap(ptr %A, i64 %n, i64 %m, i64 %row) noinline {
entry:
  %none = icmp slt i64 %n, 1
  %nothing = icmp slt i64 %m, 1
  %empty = or i1 %none, %nothing
  br i1 %empty, label %exit, label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %latch ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %inner ]
  %i4 = shl i64 %i, 2
  %r = mul i64 %i4, %row
  %o = add i64 %r, %j
  %p = getelementptr i8, ptr %A, i64 %o
  %x = load i8, ptr %p
  %y = mul i8 %x, 3
  %t = trunc i64 %i to i8
  %z = add i8 %y, %t
  store i8 %z, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %latch, label %inner
latch:
  %j.next = add nuw nsw i64 %j, 1
  %end = icmp eq i64 %j.next, %m
  br i1 %end, label %exit, label %outer
exit:
  ret void
}

; The same with the rows in the type of the access.
define void @rows_of_type(ptr %A, i64 %n, i64 %m) noinline {
entry:
  %none = icmp slt i64 %n, 1
  %nothing = icmp slt i64 %m, 1
  %empty = or i1 %none, %nothing
  br i1 %empty, label %exit, label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %latch ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %inner ]
  %i4 = shl i64 %i, 2
  %p = getelementptr [4611686018427387904 x i8], ptr %A, i64 %i4, i64 %j
  %x = load i8, ptr %p
  %y = mul i8 %x, 3
  %t = trunc i64 %i to i8
  %z = add i8 %y, %t
  store i8 %z, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %latch, label %inner
latch:
  %j.next = add nuw nsw i64 %j, 1
  %end = icmp eq i64 %j.next, %m
  br i1 %end, label %exit, label %outer
exit:
  ret void
}

; LoopFuse 191238: a cell on the stack is written in the first loop and read in the second.
define void @cell_between_loops(ptr %out, i32 %N) noinline {
pre1:
  %ptr = alloca i32, align 4
  br label %body1
body1:
  %i = phi i32 [ 0, %pre1 ], [ %i_next, %body1 ]
  store i32 %i, ptr %ptr, align 4
  %i_next = add i32 %i, 1
  %cond.not = icmp eq i32 %i_next, %N
  br i1 %cond.not, label %body2, label %body1
body2:
  %j = phi i32 [ %j_next, %body2 ], [ 0, %body1 ]
  %val = load i32, ptr %ptr, align 4
  %w = sext i32 %j to i64
  %out_ptr = getelementptr [4 x i8], ptr %out, i64 %w
  store i32 %val, ptr %out_ptr, align 4
  %j_next = add i32 %j, 1
  %cond2.not = icmp eq i32 %j_next, %N
  br i1 %cond2.not, label %exit, label %body2
exit:
  ret void
}

; UnrollAndJam 84796: two elements are read and written at once, so that row i + 1 is needed before it looks written.
define void @pairs_of_shorts(ptr %A, i16 %n) noinline {
entry:
  br label %outer
outer:
  %i = phi i16 [ 0, %entry ], [ %add.i, %latch ]
  %add.i = add nuw nsw i16 %i, 1
  br label %inner
inner:
  %index = phi i16 [ 0, %outer ], [ %index.next, %inner ]
  %offset.idx = or disjoint i16 %index, 1
  %from = getelementptr inbounds [10 x [10 x i16]], ptr %A, i16 0, i16 %i, i16 %offset.idx
  %wide.load = load <2 x i16>, ptr %from, align 1
  %to = getelementptr inbounds [10 x [10 x i16]], ptr %A, i16 0, i16 %add.i, i16 %index
  store <2 x i16> %wide.load, ptr %to, align 1
  %index.next = add nuw i16 %index, 2
  %end = icmp eq i16 %index.next, 8
  br i1 %end, label %latch, label %inner
latch:
  %done = icmp eq i16 %add.i, %n
  br i1 %done, label %exit, label %outer
exit:
  ret void
}

; SCEVExpander 63763, IndVars 79861: a flag that makes poison sits on a value with the same formula as one that is needed.
define void @flags_of_one_arm(ptr %A, i64 %n, i64 %x) noinline {
entry:
  %or = or disjoint i64 %x, 1
  %none = icmp slt i64 %n, 1
  br i1 %none, label %exit, label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %latch ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %inner ]
  %add1 = add nuw nsw i64 %i, 9223372036854775807
  %add2 = add i64 %i, 9223372036854775807
  %low = and i64 %add2, 63
  %row = mul i64 %j, 64
  %at = add i64 %row, %low
  %p = getelementptr i8, ptr %A, i64 %at
  %old = load i8, ptr %p
  %new = add i8 %old, 3
  store i8 %new, ptr %p
  %i.next = add i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %latch, label %inner
latch:
  %j.next = add i64 %j, 1
  %end = icmp eq i64 %j.next, %n
  br i1 %end, label %exit, label %outer
exit:
  ret void
}

; SCEVExpander 202028: the divisor is poison where the loop inside does not run; it must not be divided by before.
define void @divisor_is_poison_unless_needed(ptr %A, i32 %n, i32 %x) noinline {
entry:
  %none = icmp slt i32 %n, 1
  br i1 %none, label %exit, label %outer
outer:
  %j = phi i32 [ 0, %entry ], [ %j.next, %latch ]
  %zero = icmp eq i32 %x, 0
  br i1 %zero, label %latch, label %ready
ready:
  %ct = call i32 @llvm.cttz.i32(i32 %x, i1 true)
  %divisor = add i32 %ct, 1
  %trips = udiv i32 %n, %divisor
  %few = icmp eq i32 %trips, 0
  br i1 %few, label %latch, label %inner
inner:
  %i = phi i32 [ 0, %ready ], [ %i.next, %inner ]
  %row = mul i32 %j, 64
  %o = add i32 %row, %i
  %w = zext i32 %o to i64
  %p = getelementptr i8, ptr %A, i64 %w
  %old = load i8, ptr %p
  %t = trunc i32 %i to i8
  %new = add i8 %old, %t
  store i8 %new, ptr %p
  %i.next = add i32 %i, 1
  %done = icmp eq i32 %i.next, %trips
  br i1 %done, label %latch, label %inner
latch:
  %j.next = add i32 %j, 1
  %end = icmp eq i32 %j.next, %n
  br i1 %end, label %exit, label %outer
exit:
  ret void
}

; Polly 204279: the address is loaded from a cell that the region writes.
define void @loaded_address_is_overwritten(ptr %A, i64 %n) noinline {
entry:
  %slot = getelementptr i8, ptr %A, i64 1024
  store ptr %A, ptr %slot
  %none = icmp slt i64 %n, 1
  br i1 %none, label %exit, label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %latch ]
  %base = load ptr, ptr %slot
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %inner ]
  %row = mul i64 %i, 16
  %o = add i64 %row, %j
  %p = getelementptr i8, ptr %base, i64 %o
  %old = load i8, ptr %p
  %new = add i8 %old, 7
  store i8 %new, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %latch, label %inner
latch:
  %other = getelementptr i8, ptr %A, i64 2048
  store ptr %other, ptr %slot
  %j.next = add nuw nsw i64 %j, 1
  %end = icmp eq i64 %j.next, %n
  br i1 %end, label %exit, label %outer
exit:
  store ptr null, ptr %slot ; an address is not for printing
  ret void
}

; Polly 206551: what is used behind the loop is made in a block that never runs.
define void @value_of_dead_block(ptr %A, i64 %n) noinline {
entry:
  %none = icmp slt i64 %n, 1
  br i1 %none, label %exit, label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %latch ]
  %kept = phi i64 [ 5, %entry ], [ %chosen, %latch ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %inner ]
  %row = mul i64 %i, 16
  %o = add i64 %row, %j
  %p = getelementptr i8, ptr %A, i64 %o
  %t = trunc i64 %kept to i8
  store i8 %t, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %i.next, %n
  br i1 %done, label %check, label %inner
check:
  %dead = icmp slt i64 %j, 0
  br i1 %dead, label %never, label %latch
never:
  %made = mul i64 %j, 11
  br label %latch
latch:
  %chosen = phi i64 [ %made, %never ], [ %kept, %check ]
  %j.next = add nuw nsw i64 %j, 1
  %end = icmp eq i64 %j.next, %n
  br i1 %end, label %exit, label %outer
exit:
  %out = phi i64 [ 1, %entry ], [ %chosen, %latch ]
  store i64 %out, ptr %A
  ret void
}

; Polly 190128: the start is cut to 16 bits; that it was not must not follow from the loop that it decides about.
define void @cut_parameter(ptr %A, i64 %from, i64 %n) noinline {
entry:
  %cut = trunc i64 %from to i16
  %start = zext i16 %cut to i64
  %none = icmp uge i64 %start, %n
  br i1 %none, label %exit, label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j.next, %latch ]
  br label %inner
inner:
  %i = phi i64 [ %start, %outer ], [ %i.next, %inner ]
  %row = mul i64 %i, 16
  %o = add i64 %row, %j
  %p = getelementptr i8, ptr %A, i64 %o
  %old = load i8, ptr %p
  %new = add i8 %old, 7
  store i8 %new, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp ult i64 %i.next, %n
  br i1 %done, label %inner, label %latch
latch:
  %j.next = add nuw nsw i64 %j, 1
  %end = icmp eq i64 %j.next, 16
  br i1 %end, label %exit, label %outer
exit:
  ret void
}

; LoopInterchange 202220: two conditions end the loop inside.
define void @two_ends(ptr %A, i64 %n) noinline {
entry:
  br label %outer.header
outer.header:
  %i = phi i64 [ 1, %entry ], [ %i.next, %outer.latch ]
  br label %inner.header
inner.header:
  %j = phi i64 [ 0, %outer.header ], [ %j.next, %inner.latch ]
  %jx5 = mul nsw nuw i64 %j, 5
  %idx = add nsw nuw i64 %jx5, %i
  %gep = getelementptr inbounds i64, ptr %A, i64 %idx
  %old = load i64, ptr %gep
  %new = add i64 %old, 1
  store i64 %new, ptr %gep
  %j.next = add nuw nsw i64 %j, 1
  br label %inner.latch
inner.latch:
  %c1 = icmp slt i64 %j.next, %i
  %c2 = icmp slt i64 %j.next, %n
  %cond = and i1 %c1, %c2
  br i1 %cond, label %inner.header, label %outer.latch
outer.latch:
  %i.next = add nuw nsw i64 %i, 1
  %cmp.i = icmp slt i64 %i.next, 50
  br i1 %cmp.i, label %outer.header, label %exit
exit:
  ret void
}

; LoopFlatten 212176: products of bytes wrap in bytes.
define void @flattened_bytes(ptr %A, i8 %N) noinline {
entry:
  %none = icmp eq i8 %N, 0
  br i1 %none, label %exit, label %outer
outer:
  %i = phi i8 [ %i.next, %latch ], [ 0, %entry ]
  br label %inner
inner:
  %j = phi i8 [ 0, %outer ], [ %j.next, %inner ]
  %mul = mul i8 %i, %N
  %add = add i8 %j, %mul
  %at = zext i8 %add to i64
  %p = getelementptr [2 x i8], ptr %A, i64 %at
  %old = load i16, ptr %p
  %t = mul i16 %old, 3
  %w = zext i8 %i to i16
  %new = add i16 %t, %w
  store i16 %new, ptr %p, align 2
  %j.next = add i8 %j, 1
  %more = icmp ult i8 %j.next, %N
  br i1 %more, label %inner, label %latch
latch:
  %i.next = add i8 %i, 1
  %again = icmp ult i8 %i.next, %N
  br i1 %again, label %outer, label %exit
exit:
  ret void
}

@name.both_ends_of_a_step = internal constant [20 x i8] c"both_ends_of_a_step\00"
@name.largest_stride = internal constant [15 x i8] c"largest_stride\00"
@name.flags_where_it_runs = internal constant [20 x i8] c"flags_where_it_runs\00"
@name.huge_coefficients = internal constant [18 x i8] c"huge_coefficients\00"
@name.rows_that_wrap = internal constant [15 x i8] c"rows_that_wrap\00"
@name.rows_of_type = internal constant [13 x i8] c"rows_of_type\00"
@name.cell_between_loops = internal constant [19 x i8] c"cell_between_loops\00"
@name.pairs_of_shorts = internal constant [16 x i8] c"pairs_of_shorts\00"
@name.flags_of_one_arm = internal constant [17 x i8] c"flags_of_one_arm\00"
@name.divisor_is_poison_unless_needed = internal constant [32 x i8] c"divisor_is_poison_unless_needed\00"
@name.loaded_address_is_overwritten = internal constant [30 x i8] c"loaded_address_is_overwritten\00"
@name.value_of_dead_block = internal constant [20 x i8] c"value_of_dead_block\00"
@name.cut_parameter = internal constant [14 x i8] c"cut_parameter\00"
@name.two_ends = internal constant [9 x i8] c"two_ends\00"
@name.flattened_bytes = internal constant [16 x i8] c"flattened_bytes\00"

define i32 @main() optnone noinline {
entry:
  call void @fill()
  call void @both_ends_of_a_step(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -3, i64 0)
  call void @show(ptr @name.both_ends_of_a_step, i64 -300)
  call void @both_ends_of_a_step(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -3, i64 1)
  call void @show(ptr @name.both_ends_of_a_step, i64 -299)
  call void @both_ends_of_a_step(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -3, i64 9)
  call void @show(ptr @name.both_ends_of_a_step, i64 -291)
  call void @both_ends_of_a_step(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -1, i64 0)
  call void @show(ptr @name.both_ends_of_a_step, i64 -100)
  call void @both_ends_of_a_step(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -1, i64 1)
  call void @show(ptr @name.both_ends_of_a_step, i64 -99)
  call void @both_ends_of_a_step(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -1, i64 9)
  call void @show(ptr @name.both_ends_of_a_step, i64 -91)
  call void @both_ends_of_a_step(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 0)
  call void @show(ptr @name.both_ends_of_a_step, i64 0)
  call void @both_ends_of_a_step(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 1)
  call void @show(ptr @name.both_ends_of_a_step, i64 1)
  call void @both_ends_of_a_step(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 9)
  call void @show(ptr @name.both_ends_of_a_step, i64 9)
  call void @both_ends_of_a_step(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1, i64 0)
  call void @show(ptr @name.both_ends_of_a_step, i64 100)
  call void @both_ends_of_a_step(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1, i64 1)
  call void @show(ptr @name.both_ends_of_a_step, i64 101)
  call void @both_ends_of_a_step(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1, i64 9)
  call void @show(ptr @name.both_ends_of_a_step, i64 109)
  call void @both_ends_of_a_step(ptr getelementptr (i8, ptr @pool, i64 32768), i64 7, i64 0)
  call void @show(ptr @name.both_ends_of_a_step, i64 700)
  call void @both_ends_of_a_step(ptr getelementptr (i8, ptr @pool, i64 32768), i64 7, i64 1)
  call void @show(ptr @name.both_ends_of_a_step, i64 701)
  call void @both_ends_of_a_step(ptr getelementptr (i8, ptr @pool, i64 32768), i64 7, i64 9)
  call void @show(ptr @name.both_ends_of_a_step, i64 709)
  call void @largest_stride(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9223372036854775807, i64 0)
  call void @show(ptr @name.largest_stride, i64 0)
  call void @largest_stride(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9223372036854775807, i64 1)
  call void @show(ptr @name.largest_stride, i64 1)
  call void @largest_stride(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9223372036854775807, i64 10)
  call void @show(ptr @name.largest_stride, i64 10)
  call void @largest_stride(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -9223372036854775808, i64 0)
  call void @show(ptr @name.largest_stride, i64 0)
  call void @largest_stride(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -9223372036854775808, i64 1)
  call void @show(ptr @name.largest_stride, i64 1)
  call void @largest_stride(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -9223372036854775808, i64 10)
  call void @show(ptr @name.largest_stride, i64 10)
  call void @largest_stride(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -9223372036854775807, i64 0)
  call void @show(ptr @name.largest_stride, i64 0)
  call void @largest_stride(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -9223372036854775807, i64 1)
  call void @show(ptr @name.largest_stride, i64 1)
  call void @largest_stride(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -9223372036854775807, i64 10)
  call void @show(ptr @name.largest_stride, i64 10)
  call void @largest_stride(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1, i64 0)
  call void @show(ptr @name.largest_stride, i64 0)
  call void @largest_stride(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1, i64 1)
  call void @show(ptr @name.largest_stride, i64 1)
  call void @largest_stride(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1, i64 10)
  call void @show(ptr @name.largest_stride, i64 10)
  call void @largest_stride(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -2, i64 0)
  call void @show(ptr @name.largest_stride, i64 0)
  call void @largest_stride(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -2, i64 1)
  call void @show(ptr @name.largest_stride, i64 1)
  call void @largest_stride(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -2, i64 10)
  call void @show(ptr @name.largest_stride, i64 10)
  call void @flags_where_it_runs(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0)
  call void @show(ptr @name.flags_where_it_runs, i64 0)
  call void @flags_where_it_runs(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1)
  call void @show(ptr @name.flags_where_it_runs, i64 1)
  call void @flags_where_it_runs(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2)
  call void @show(ptr @name.flags_where_it_runs, i64 2)
  call void @flags_where_it_runs(ptr getelementptr (i8, ptr @pool, i64 32768), i64 3)
  call void @show(ptr @name.flags_where_it_runs, i64 3)
  call void @flags_where_it_runs(ptr getelementptr (i8, ptr @pool, i64 32768), i64 50)
  call void @show(ptr @name.flags_where_it_runs, i64 50)
  call void @huge_coefficients(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0)
  call void @show(ptr @name.huge_coefficients, i64 0)
  call void @huge_coefficients(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1)
  call void @show(ptr @name.huge_coefficients, i64 1)
  call void @huge_coefficients(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2)
  call void @show(ptr @name.huge_coefficients, i64 2)
  call void @huge_coefficients(ptr getelementptr (i8, ptr @pool, i64 32768), i64 300)
  call void @show(ptr @name.huge_coefficients, i64 300)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 1, i64 4611686018427387904)
  call void @show(ptr @name.rows_that_wrap, i64 1)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 20, i64 4611686018427387904)
  call void @show(ptr @name.rows_that_wrap, i64 20)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2, i64 1, i64 4611686018427387904)
  call void @show(ptr @name.rows_that_wrap, i64 201)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2, i64 20, i64 4611686018427387904)
  call void @show(ptr @name.rows_that_wrap, i64 220)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 1, i64 4611686018427387904)
  call void @show(ptr @name.rows_that_wrap, i64 901)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 20, i64 4611686018427387904)
  call void @show(ptr @name.rows_that_wrap, i64 920)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 1, i64 -4611686018427387904)
  call void @show(ptr @name.rows_that_wrap, i64 1)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 20, i64 -4611686018427387904)
  call void @show(ptr @name.rows_that_wrap, i64 20)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2, i64 1, i64 -4611686018427387904)
  call void @show(ptr @name.rows_that_wrap, i64 201)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2, i64 20, i64 -4611686018427387904)
  call void @show(ptr @name.rows_that_wrap, i64 220)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 1, i64 -4611686018427387904)
  call void @show(ptr @name.rows_that_wrap, i64 901)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 20, i64 -4611686018427387904)
  call void @show(ptr @name.rows_that_wrap, i64 920)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 1, i64 0)
  call void @show(ptr @name.rows_that_wrap, i64 1)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 20, i64 0)
  call void @show(ptr @name.rows_that_wrap, i64 20)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2, i64 1, i64 0)
  call void @show(ptr @name.rows_that_wrap, i64 201)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2, i64 20, i64 0)
  call void @show(ptr @name.rows_that_wrap, i64 220)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 1, i64 0)
  call void @show(ptr @name.rows_that_wrap, i64 901)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 20, i64 0)
  call void @show(ptr @name.rows_that_wrap, i64 920)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 1, i64 1)
  call void @show(ptr @name.rows_that_wrap, i64 1)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 20, i64 1)
  call void @show(ptr @name.rows_that_wrap, i64 20)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2, i64 1, i64 1)
  call void @show(ptr @name.rows_that_wrap, i64 201)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2, i64 20, i64 1)
  call void @show(ptr @name.rows_that_wrap, i64 220)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 1, i64 1)
  call void @show(ptr @name.rows_that_wrap, i64 901)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 20, i64 1)
  call void @show(ptr @name.rows_that_wrap, i64 920)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 1, i64 3)
  call void @show(ptr @name.rows_that_wrap, i64 1)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 20, i64 3)
  call void @show(ptr @name.rows_that_wrap, i64 20)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2, i64 1, i64 3)
  call void @show(ptr @name.rows_that_wrap, i64 201)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2, i64 20, i64 3)
  call void @show(ptr @name.rows_that_wrap, i64 220)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 1, i64 3)
  call void @show(ptr @name.rows_that_wrap, i64 901)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 20, i64 3)
  call void @show(ptr @name.rows_that_wrap, i64 920)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 1, i64 25)
  call void @show(ptr @name.rows_that_wrap, i64 1)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 20, i64 25)
  call void @show(ptr @name.rows_that_wrap, i64 20)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2, i64 1, i64 25)
  call void @show(ptr @name.rows_that_wrap, i64 201)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2, i64 20, i64 25)
  call void @show(ptr @name.rows_that_wrap, i64 220)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 1, i64 25)
  call void @show(ptr @name.rows_that_wrap, i64 901)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 20, i64 25)
  call void @show(ptr @name.rows_that_wrap, i64 920)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 1, i64 -2)
  call void @show(ptr @name.rows_that_wrap, i64 1)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 20, i64 -2)
  call void @show(ptr @name.rows_that_wrap, i64 20)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2, i64 1, i64 -2)
  call void @show(ptr @name.rows_that_wrap, i64 201)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2, i64 20, i64 -2)
  call void @show(ptr @name.rows_that_wrap, i64 220)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 1, i64 -2)
  call void @show(ptr @name.rows_that_wrap, i64 901)
  call void @rows_that_wrap(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 20, i64 -2)
  call void @show(ptr @name.rows_that_wrap, i64 920)
  call void @rows_of_type(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 0)
  call void @show(ptr @name.rows_of_type, i64 0)
  call void @rows_of_type(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 1)
  call void @show(ptr @name.rows_of_type, i64 1)
  call void @rows_of_type(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 20)
  call void @show(ptr @name.rows_of_type, i64 20)
  call void @rows_of_type(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1, i64 0)
  call void @show(ptr @name.rows_of_type, i64 100)
  call void @rows_of_type(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1, i64 1)
  call void @show(ptr @name.rows_of_type, i64 101)
  call void @rows_of_type(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1, i64 20)
  call void @show(ptr @name.rows_of_type, i64 120)
  call void @rows_of_type(ptr getelementptr (i8, ptr @pool, i64 32768), i64 8, i64 0)
  call void @show(ptr @name.rows_of_type, i64 800)
  call void @rows_of_type(ptr getelementptr (i8, ptr @pool, i64 32768), i64 8, i64 1)
  call void @show(ptr @name.rows_of_type, i64 801)
  call void @rows_of_type(ptr getelementptr (i8, ptr @pool, i64 32768), i64 8, i64 20)
  call void @show(ptr @name.rows_of_type, i64 820)
  call void @cell_between_loops(ptr getelementptr (i8, ptr @pool, i64 32768), i32 1)
  call void @show(ptr @name.cell_between_loops, i64 1)
  call void @cell_between_loops(ptr getelementptr (i8, ptr @pool, i64 32768), i32 8)
  call void @show(ptr @name.cell_between_loops, i64 8)
  call void @cell_between_loops(ptr getelementptr (i8, ptr @pool, i64 32768), i32 100)
  call void @show(ptr @name.cell_between_loops, i64 100)
  call void @pairs_of_shorts(ptr getelementptr (i8, ptr @pool, i64 32768), i16 1)
  call void @show(ptr @name.pairs_of_shorts, i64 1)
  call void @pairs_of_shorts(ptr getelementptr (i8, ptr @pool, i64 32768), i16 2)
  call void @show(ptr @name.pairs_of_shorts, i64 2)
  call void @pairs_of_shorts(ptr getelementptr (i8, ptr @pool, i64 32768), i16 9)
  call void @show(ptr @name.pairs_of_shorts, i64 9)
  call void @flags_of_one_arm(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 1)
  call void @show(ptr @name.flags_of_one_arm, i64 0)
  call void @flags_of_one_arm(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 2)
  call void @show(ptr @name.flags_of_one_arm, i64 0)
  call void @flags_of_one_arm(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1, i64 1)
  call void @show(ptr @name.flags_of_one_arm, i64 1)
  call void @flags_of_one_arm(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1, i64 2)
  call void @show(ptr @name.flags_of_one_arm, i64 1)
  call void @flags_of_one_arm(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 1)
  call void @show(ptr @name.flags_of_one_arm, i64 9)
  call void @flags_of_one_arm(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9, i64 2)
  call void @show(ptr @name.flags_of_one_arm, i64 9)
  call void @flags_of_one_arm(ptr getelementptr (i8, ptr @pool, i64 32768), i64 70, i64 1)
  call void @show(ptr @name.flags_of_one_arm, i64 70)
  call void @flags_of_one_arm(ptr getelementptr (i8, ptr @pool, i64 32768), i64 70, i64 2)
  call void @show(ptr @name.flags_of_one_arm, i64 70)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 0, i32 0)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 0)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 0, i32 1)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 0)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 0, i32 4)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 0)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 0, i32 2147483648)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 0)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 1, i32 0)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 1)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 1, i32 1)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 1)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 1, i32 4)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 1)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 1, i32 2147483648)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 1)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 9, i32 0)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 9)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 9, i32 1)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 9)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 9, i32 4)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 9)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 9, i32 2147483648)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 9)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 60, i32 0)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 60)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 60, i32 1)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 60)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 60, i32 4)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 60)
  call void @divisor_is_poison_unless_needed(ptr getelementptr (i8, ptr @pool, i64 32768), i32 60, i32 2147483648)
  call void @show(ptr @name.divisor_is_poison_unless_needed, i64 60)
  call void @loaded_address_is_overwritten(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0)
  call void @show(ptr @name.loaded_address_is_overwritten, i64 0)
  call void @loaded_address_is_overwritten(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1)
  call void @show(ptr @name.loaded_address_is_overwritten, i64 1)
  call void @loaded_address_is_overwritten(ptr getelementptr (i8, ptr @pool, i64 32768), i64 2)
  call void @show(ptr @name.loaded_address_is_overwritten, i64 2)
  call void @loaded_address_is_overwritten(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9)
  call void @show(ptr @name.loaded_address_is_overwritten, i64 9)
  call void @value_of_dead_block(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0)
  call void @show(ptr @name.value_of_dead_block, i64 0)
  call void @value_of_dead_block(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1)
  call void @show(ptr @name.value_of_dead_block, i64 1)
  call void @value_of_dead_block(ptr getelementptr (i8, ptr @pool, i64 32768), i64 9)
  call void @show(ptr @name.value_of_dead_block, i64 9)
  call void @cut_parameter(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 0)
  call void @show(ptr @name.cut_parameter, i64 0)
  call void @cut_parameter(ptr getelementptr (i8, ptr @pool, i64 32768), i64 0, i64 9)
  call void @show(ptr @name.cut_parameter, i64 9)
  call void @cut_parameter(ptr getelementptr (i8, ptr @pool, i64 32768), i64 3, i64 0)
  call void @show(ptr @name.cut_parameter, i64 0)
  call void @cut_parameter(ptr getelementptr (i8, ptr @pool, i64 32768), i64 3, i64 9)
  call void @show(ptr @name.cut_parameter, i64 9)
  call void @cut_parameter(ptr getelementptr (i8, ptr @pool, i64 32768), i64 65535, i64 0)
  call void @show(ptr @name.cut_parameter, i64 0)
  call void @cut_parameter(ptr getelementptr (i8, ptr @pool, i64 32768), i64 65535, i64 9)
  call void @show(ptr @name.cut_parameter, i64 9)
  call void @cut_parameter(ptr getelementptr (i8, ptr @pool, i64 32768), i64 65536, i64 0)
  call void @show(ptr @name.cut_parameter, i64 0)
  call void @cut_parameter(ptr getelementptr (i8, ptr @pool, i64 32768), i64 65536, i64 9)
  call void @show(ptr @name.cut_parameter, i64 9)
  call void @cut_parameter(ptr getelementptr (i8, ptr @pool, i64 32768), i64 65538, i64 0)
  call void @show(ptr @name.cut_parameter, i64 0)
  call void @cut_parameter(ptr getelementptr (i8, ptr @pool, i64 32768), i64 65538, i64 9)
  call void @show(ptr @name.cut_parameter, i64 9)
  call void @cut_parameter(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -1, i64 0)
  call void @show(ptr @name.cut_parameter, i64 0)
  call void @cut_parameter(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -1, i64 9)
  call void @show(ptr @name.cut_parameter, i64 9)
  call void @cut_parameter(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1099511627776, i64 0)
  call void @show(ptr @name.cut_parameter, i64 0)
  call void @cut_parameter(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1099511627776, i64 9)
  call void @show(ptr @name.cut_parameter, i64 9)
  call void @two_ends(ptr getelementptr (i8, ptr @pool, i64 32768), i64 -1)
  call void @show(ptr @name.two_ends, i64 -1)
  call void @two_ends(ptr getelementptr (i8, ptr @pool, i64 32768), i64 1)
  call void @show(ptr @name.two_ends, i64 1)
  call void @two_ends(ptr getelementptr (i8, ptr @pool, i64 32768), i64 3)
  call void @show(ptr @name.two_ends, i64 3)
  call void @two_ends(ptr getelementptr (i8, ptr @pool, i64 32768), i64 100)
  call void @show(ptr @name.two_ends, i64 100)
  call void @flattened_bytes(ptr getelementptr (i8, ptr @pool, i64 32768), i8 0)
  call void @show(ptr @name.flattened_bytes, i64 0)
  call void @flattened_bytes(ptr getelementptr (i8, ptr @pool, i64 32768), i8 1)
  call void @show(ptr @name.flattened_bytes, i64 1)
  call void @flattened_bytes(ptr getelementptr (i8, ptr @pool, i64 32768), i8 15)
  call void @show(ptr @name.flattened_bytes, i64 15)
  call void @flattened_bytes(ptr getelementptr (i8, ptr @pool, i64 32768), i8 16)
  call void @show(ptr @name.flattened_bytes, i64 16)
  call void @flattened_bytes(ptr getelementptr (i8, ptr @pool, i64 32768), i8 17)
  call void @show(ptr @name.flattened_bytes, i64 17)
  call void @flattened_bytes(ptr getelementptr (i8, ptr @pool, i64 32768), i8 100)
  call void @show(ptr @name.flattened_bytes, i64 100)
  call void @flattened_bytes(ptr getelementptr (i8, ptr @pool, i64 32768), i8 -1)
  call void @show(ptr @name.flattened_bytes, i64 -1)
  ret i32 0
}
