#!/usr/bin/env python3
"""Functions made to be too much: thousands of loops, deep nests, giant blocks, many arrays, huge constants. Prints what clang
takes alone and with the plugin (user time, median of --rounds interleaved runs), the difference, the steps of analysis, and
what was done.

    scripts/huge.py --plugin=target/release/libloopwright.so [--limit=2] [CASE...]

The exit status is 1 if clang or the plugin fails, or a difference exceeds --limit seconds a function."""

import argparse
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

HEAD = "#include <stddef.h>\n#include <string.h>\ndouble g(double);\n"


def loops(depth, bounds="n"):
    return "".join(f"for (int i{d} = 0; i{d} < {bounds}; i{d}++) " for d in range(depth))


def function(body, arguments="int n, double *a, double *b", name="f"):
    return f"void {name}({arguments}) {{\n{body}\n}}\n"


def many_loops(count):
    """In IR, for opt: clang itself takes minutes."""
    text = "define void @f(i64 %n, ptr %a, ptr %b) {\nentry:\n  br label %l0\n"
    for k in range(count):
        before = "entry" if k == 0 else f"l{k - 1}"
        text += f"""l{k}:
  %i{k} = phi i64 [ 0, %{before} ], [ %n{k}, %l{k} ]
  %p{k} = getelementptr double, ptr %a, i64 %i{k}
  %q{k} = getelementptr double, ptr %b, i64 %i{k}
  %x{k} = load double, ptr %p{k}
  %y{k} = load double, ptr %q{k}
  %z{k} = fmul double %x{k}, %y{k}
  store double %z{k}, ptr %p{k}
  %n{k} = add nuw nsw i64 %i{k}, 1
  %c{k} = icmp slt i64 %n{k}, %n
  br i1 %c{k}, label %l{k}, label %l{k + 1}
"""
    return text + f"l{count}:\n  ret void\n}}\n"


MATRICES = "double (*restrict c)[n], double (*restrict a)[n], double (*restrict b)[n]"
PRODUCT = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];\n"


def names(letter, count):
    return [f"{letter}{k}" for k in range(count)]


CASES = {
    "10,000 loops, opt alone": lambda: many_loops(10000),
    "200 loops": lambda: function("".join(f"for (int i = 0; i < n; i++) a[i] += b[i] * {k}.5;\n" for k in range(200))),
    "100 nests of two": lambda: function("".join(f"{loops(2)} a[i0 * n + i1] += b[i1 * n + i0] * {k}.5;\n" for k in range(100))),
    "60 loops deep": lambda: function(loops(60) + "a[i0] += b[i59];"),
    "30 loops deep, each in its subscript": lambda: function(loops(30) + f"a[{' + '.join(names('i', 30))}] += 1;"),
    "100 loops in one loop": lambda: function("for (int t = 0; t < n; t++) {" + "".join(f"for (int i = 1; i < n; i++) a[i] = a[i - 1] + b[i] * {k}.5;\n" for k in range(100)) + "}"),
    "200 loops in two loops": lambda: function("for (int t = 0; t < n; t++) for (int s = 0; s < n; s++) {" + "".join(f"for (int i = 1; i < n; i++) a[i + s] = a[i - 1] + b[i] * {k}.5;\n" for k in range(200)) + "}"),
    "1,000 statements in a nest": lambda: function(loops(2) + "{" + "".join(f"a[i0 * n + i1 + {k}] = b[i1 * n + i0 + {k}] * {k}.5;\n" for k in range(1000)) + "}", "int n, double *restrict a, double *restrict b"),
    "1,000 statements on one row": lambda: function(loops(2) + "{" + "".join(f"a[i0 + {k}] += a[i1 + {1000 - k}];\n" for k in range(1000)) + "}", "int n, volatile int *z, double *a"),
    "200 stencils in a nest": lambda: function("for (int t = 0; t < n; t++) for (int i = 200; i < n; i++) {" + "".join(f"a[i - {k}] = a[i - {k} - 1] + b[i + {k}];\n" for k in range(200)) + "}"),
    "64 sizes": lambda: function("".join(f"for (int i = 0; i < n{d}; i++) " .replace("int i", f"int i{d}").replace("i <", f"i{d} <").replace("i++", f"i{d}++") for d in range(64)) + f"a[{' + '.join(names('i', 64))}] += 1;", ", ".join(f"int n{d}" for d in range(64)) + ", double *a"),
    "64 sizes in a bound": lambda: function(f"for (long i = 0; i < {' + '.join(names('n', 64))}; i++) for (long j = 0; j < {' - '.join(names('n', 64))}; j++) a[i + j * {'*'.join(names('n', 6))}] += b[j];", ", ".join(f"long n{d}" for d in range(64)) + ", double *a, double *b"),
    "64 arrays": lambda: function(loops(2) + "{" + "".join(f"a{k}[i0 * n + i1] += a{(k + 1) % 64}[i1 * n + i0];\n" for k in range(64)) + "}", "int n, " + ", ".join(f"double *a{k}" for k in range(64))),
    "64 arrays, 64 loops": lambda: function("".join(f"{loops(2)} a{k}[i0 * n + i1] += a{(k + 1) % 64}[i1 * n + i0];\n" for k in range(64)), "int n, " + ", ".join(f"double *restrict a{k}" for k in range(64))),
    "300 loops, each on the last one's result": lambda: function("".join(f"for (int i = 1; i < n - 1; i++) {'ab'[k % 2]}[i] = {'ba'[k % 2]}[i - 1] + {'ba'[k % 2]}[i + 1];\n" for k in range(300)), "int n, double *restrict a, double *restrict b"),
    "60 sweeps in a time loop": lambda: function("for (int t = 0; t < n; t++) {" + "".join(f"for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) {'ab'[k % 2]}[i * n + j] = {'ba'[k % 2]}[i * n + j - 1] + {'ba'[k % 2]}[i * n + n + j];\n" for k in range(60)) + "}", "int n, double *restrict a, double *restrict b"),
    "huge constants": lambda: function("for (long i = 0; i < 4611686018427387903; i++) for (long j = -4611686018427387904; j < i; j++) a[i * 2305843009213693951 + j * 6148914691236517205 + 4611686018427387904] += b[j * 3074457345618258602 - i * 1537228672809129301];", "long n, double *a, double *b"),
    "large coefficients": lambda: function("for (long i = 0; i < n; i++) for (long j = 0; j < n; j++) for (long k = 0; k < n; k++) a[i * 999983 + j * 1000003 + k * 999979] += b[i * 65537 - j * 65539 + k * 131071] + a[i * 524287 + j * 131071 - k * 8191];", "long n, double *a, double *b"),
    "coupled subscripts, seven deep": lambda: function(loops(7) + "a[i0 + 2 * i1 + 3 * i2 + 5 * i3 + 7 * i4 + 11 * i5 + 13 * i6] += a[13 * i0 + 11 * i1 + 7 * i2 + 5 * i3 + 3 * i4 + 2 * i5 + i6] + b[i0 - i1 + i2 - i3 + i4 - i5 + i6];"),
    "30 matrix products": lambda: function(PRODUCT * 30, f"int n, {MATRICES}"),
    "30 matrix products on 30 matrices": lambda: function("".join(f"for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) m{q + 2}[i][j] += m{q}[i][k] * m{q + 1}[k][j];\n" for q in range(30)), "int n, " + ", ".join(f"double (*restrict m{q})[n]" for q in range(32))),
    "100 matrix products": lambda: function(PRODUCT * 100, f"int n, {MATRICES}"),
    "100 functions of a product": lambda: "".join(function(PRODUCT, f"int n, {MATRICES}", f"f{k}") for k in range(100)),
    "2,000 functions of a loop": lambda: "".join(function(f"for (int i = 0; i < n; i++) a[i] = g(b[i]) + {k};", name=f"f{k}") for k in range(2000)),
    "a block of 5,000 operations": lambda: function("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { double s = a[i]; " + "".join(f"s = s * b[j] + {k}.5;\n" for k in range(5000)) + "a[i] = s; }"),
    "a sum of 2,000 cells": lambda: function(loops(2) + "a[i0 * n + i1] = " + " + ".join(f"b[i1 * n + i0 + {k}]" for k in range(2000)) + ";", "int n, double *restrict a, double *restrict b"),
    "500 ways out": lambda: function("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {" + "".join(f"if (a[i + {k}] == b[j + {k}]) return;\n" for k in range(500)) + "a[i] += b[j]; }"),
    "500 conditions on counters": lambda: function(loops(2) + "{" + "".join(f"if (i0 + {k} < i1) a[i0 + {k}] += b[i1 + {k}];\n" for k in range(500)) + "}"),
    "500 conditions, one in the other": lambda: function(loops(2) + "{" + "".join(f"if (i0 * {k} + {k} < i1 * {k + 1}) {{ a[i0 + {k}] += b[i1];\n" for k in range(200)) + "}" * 200 + "}"),
    "a switch of 2,000 cases in a nest": lambda: function(loops(2) + "switch (i0 % 4000 + i1) {" + "".join(f"case {k}: a[{k}] += b[{k}]; break;\n" for k in range(2000)) + "}"),
    "200 loads of addresses": lambda: function(loops(2) + "{" + "".join(f"p[{k}][i0 * n + i1] += p[{k + 1}][i1 * n + i0];\n" for k in range(200)) + "}", "int n, double **p"),
    "100 copies and fills": lambda: function("for (int i = 0; i < n; i++) {" + "".join(f"memcpy(a + i * n + {k}, b + i * n, 8 * (size_t)n); memset(b + i, 0, 8 * (size_t)n);\n" for k in range(100)) + "}"),
    "remainders": lambda: function(loops(4) + "{" + "".join(f"a[i0 % {k + 2} * n + i1 / {k + 3} + i2 % {k + 5} + i3 / {k + 7}] += b[i0 % {k + 3}];\n" for k in range(20)) + "}"),
}


def user_time(command, limit=100):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    stop = lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", preexec_fn=stop)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--plugin", required=True)
    arguments.add_argument("--clang", default="clang-22")
    arguments.add_argument("--limit", type=float, default=2.0, help="most seconds beyond clang's own, a function")
    arguments.add_argument("--rounds", type=int, default=1)
    arguments.add_argument("--options", default="", help="of the plugin, as NAME=VALUE,NAME=VALUE")
    arguments.add_argument("--keep", type=pathlib.Path, help="folder for the sources")
    arguments.add_argument("cases", nargs="*", help="words in names of cases")
    chosen = arguments.parse_args()
    options = [x for o in chosen.options.split(",") if o for x in ("-mllvm", f"-loopwright-{o}")]
    failures = 0
    print(f"{'case':42} {'clang':>8} {'with':>8} {'beyond':>8} {'steps':>9}  done")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in CASES.items():
            if chosen.cases and not any(word in name for word in chosen.cases):
                continue
            code = text()
            on_ir = code.startswith("define")
            source = (chosen.keep or pathlib.Path(folder)) / (re.sub(r"\W+", "_", name) + (".ll" if on_ir else ".c"))
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_text(code if on_ir else HEAD + code)
            command = [chosen.clang, "-O3", "-march=x86-64-v3", "-w", "-fbracket-depth=2000", "-c", str(source), "-o", f"{folder}/x.o"]
            plugin = [f"-fpass-plugin={chosen.plugin}", *options, "-Rpass=loopwright", "-Rpass-missed=loopwright", "-mllvm", "-loopwright-stats"]
            if on_ir:
                command = ["opt-22", f"-load-pass-plugin={chosen.plugin}", "-disable-output", str(source), "-loopwright-stats", "-pass-remarks=loopwright", *options[1::2]]
                command, plugin = [*command, "-passes=loop-simplify,lcssa"], ["-passes=loopwright"]
            alone, both = [], []
            for _ in range(chosen.rounds):
                alone.append(user_time(command)[0])
                taken, done = user_time([c for c in command if not on_ir or not c.startswith("-passes")] + plugin)
                both.append(taken)
            steps = sum(int(s) for s in re.findall(r"(\d+) of \d+ steps", done.stdout))
            transformed = len(re.findall(r"\[-Rpass=loopwright\]", done.stdout))
            missed = {}
            for reason in re.findall(r"remark: (.*) \[-Rpass-missed=loopwright\]", done.stdout):
                missed[reason] = missed.get(reason, 0) + 1
            most = max(missed, key=missed.get) if missed else ""
            beyond = statistics.median(both) - statistics.median(alone)
            bad = done.returncode != 0 or "internal error" in done.stdout or beyond > chosen.limit * (code.count("void f") + code.count("void @f"))
            failures += bad
            said = f"{transformed} transformed" + (f", {sum(missed.values())} left: {most[:70]}" if missed else "")
            print(f"{name:42} {statistics.median(alone):8.2f} {statistics.median(both):8.2f} {beyond:8.2f} {steps:9}  {said}{'  FAIL' if bad else ''}", flush=True)
    print(f"{failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
