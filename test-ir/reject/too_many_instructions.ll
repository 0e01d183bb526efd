; More instructions than one nest may have; the IR is written by the RUN line.
;
; RUN: python3 -c "print('define void @f(ptr noalias %%x) {\nentry:\n  br label %%loop\nloop:\n  %%i = phi i64 [ 0, %%entry ], [ %%next, %%loop ]\n  %%p = getelementptr inbounds double, ptr %%x, i64 %%i\n  %%v0 = load double, ptr %%p'); print(''.join(f'  %%v{k} = fadd double %%v{k-1}, 1.0\n' for k in range(1, 5000)) + '  store double %%v4999, ptr %%p\n  %%next = add nuw nsw i64 %%i, 1\n  %%over = icmp eq i64 %%next, 100\n  br i1 %%over, label %%end, label %%loop\nend:\n  ret void\n}')" > %t.in.ll
; RUN: %loopwright-opt -passes='loopwright<policy=force>' -pass-remarks-missed=loopwright -S %t.in.ll -o %t.ll 2>&1 | %FileCheck %s
; RUN: not grep loopwright.done %t.ll

; CHECK: cannot transform the loops: too large: instructions in the nest

