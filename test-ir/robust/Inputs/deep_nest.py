"""Prints a function with N loops inside each other around `x[i0 + i1 + ...] += 1`."""

import sys

depth = int(sys.argv[1])
print("define void @f(i64 %n, ptr %x) {\nentry:\n  br label %l0")
for k in range(depth):
    before = f"l{k - 1}" if k else "entry"
    print(f"l{k}:\n  %i{k} = phi i64 [ 0, %{before} ], [ %n{k}, %e{k} ]")
    sum_before = f"%s{k - 1}" if k else "0"
    print(f"  %s{k} = add nsw i64 {sum_before}, %i{k}")
    print(f"  br label %{f'l{k + 1}' if k + 1 < depth else 'body'}")
print(f"body:\n  %p = getelementptr inbounds double, ptr %x, i64 %s{depth - 1}\n  %v = load double, ptr %p")
print(f"  %w = fadd double %v, 1.0\n  store double %w, ptr %p\n  br label %e{depth - 1}")
for k in reversed(range(depth)):
    after = f"e{k - 1}" if k else "end"
    print(f"e{k}:\n  %n{k} = add nuw nsw i64 %i{k}, 1\n  %o{k} = icmp eq i64 %n{k}, 3\n  br i1 %o{k}, label %{after}, label %l{k}")
print("end:\n  ret void\n}")
