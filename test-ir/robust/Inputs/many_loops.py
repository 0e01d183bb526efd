"""Prints a function with N loops one after the other, and one with N loops one after the other inside a loop."""

import sys

HEAD = "{name}:\n  br label %{name}.loop\n"
LOOP = """{name}.loop:
  %{name}.i = phi i64 [ 0, %{name} ], [ %{name}.next, %{name}.loop ]
  %{name}.p = getelementptr inbounds double, ptr %x, i64 %{name}.i
  %{name}.v = load double, ptr %{name}.p
  %{name}.w = fadd double %{name}.v, 1.0
  store double %{name}.w, ptr %{name}.p
  %{name}.next = add nuw nsw i64 %{name}.i, 1
  %{name}.over = icmp eq i64 %{name}.next, %n
  br i1 %{name}.over, label %{after}, label %{name}.loop
"""


def loops(prefix, count, after):
    for k in range(count):
        name, rest = f"{prefix}{k}", f"{prefix}{k + 1}" if k + 1 < count else after
        print(HEAD.format(name=name) + LOOP.format(name=name, after=rest))


count = int(sys.argv[1])
print("define void @f(i64 %n, ptr %x) {\nentry:\n  br label %a0")
loops("a", count, "end")
print("end:\n  ret void\n}")
print("define void @g(i64 %n, ptr %x) {\nentry:\n  br label %outer")
print("outer:\n  %t = phi i64 [ 0, %entry ], [ %t.next, %latch ]\n  br label %b0")
loops("b", count, "latch")
print("latch:\n  %t.next = add nuw nsw i64 %t, 1\n  %t.over = icmp eq i64 %t.next, 10")
print("  br i1 %t.over, label %end, label %outer\nend:\n  ret void\n}")
