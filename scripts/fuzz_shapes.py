#!/usr/bin/env python3
"""Random programs of the shapes that need assumptions and run-time checks: views with symbolic strides, packed triangles,
remainders of counters, symbolic steps and bounds, sizes without sign, arrays whose addresses and sizes are in memory,
batches of small products of constant size, products of complex numbers.

    scripts/fuzz_shapes.py --plugin=target/release/libloopwright.so --seed=1 --count=20 --keep=build/fuzz

A program has several kernels; each is called many times, with pointers that overlap at random, with strides, steps and sizes
that are zero, negative, or just break what the checks ask for. All subscripts stay in the pool, which is checked here by
running the kernel's address arithmetic for every call. The hash of all memory must be that of plain clang. Failing programs
are left in the folder of --keep; the exit status is 1 if there was any. A seed is one program."""

import argparse
import itertools
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

POOL = 4096  # elements on either side of the middle
POLICIES = {
    "auto": [],
    "force": ["policy=force"],
    "tile": ["policy=force", "tile=4"],
    "kernels": ["policy=kernels"],
    "random": ["policy=random", "seed={}"],
}

HEAD = """#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef {element} T;
typedef {element} _Complex Z;
enum {{ POOL = {pool} }};
static _Alignas(64) T pool[2 * POOL];
static T first[2 * POOL];
static long at64[64];
static int at32[64];
static unsigned short at16[64];
static uint64_t hash = 1;
// Of numbers that are none sign and payload are left open.
static void show(void) {{
    for (int i = 0; i < 2 * POOL; i++)
        if (pool[i] != pool[i]) pool[i] = (T)NAN;
    const unsigned char *p = (const unsigned char *)pool;
    for (size_t i = 0; i < sizeof pool; i++) hash = (hash ^ p[i]) * 0x100000001b3u;
    memcpy(pool, first, sizeof pool);
}}
#define KERNEL __attribute__((noinline)) void
"""


class Kernel:
    """text: of the function; calls: argument lists; cells: (loops, subscripts) per call, to be checked."""

    def __init__(self, rng, name, index, floating):
        self.rng, self.name, self.index = rng, name, index
        make = rng.choice(
            [self.complex] * (4 if floating else 0)
            + [self.strides, self.strides, self.triangle, self.triangle, self.remainder, self.remainder, self.step, self.bound, self.vector, self.unsigned, self.indirect, self.indirect, self.small, self.small, self.small]
        )
        self.calls = []
        make()

    def update(self, target, *sources):
        rng = self.rng
        value = f" {rng.choice('+-')} ".join(f"(T)({rng.choice(['2', '3', '1'])} * {s})" for s in sources)
        return f"{target} {rng.choice(['=', '+=', '+='])} {value};"

    def pointers(self, count, extent, low=0):
        """Offsets into the pool, apart or overlapping, for arrays that reach from low to extent."""
        rng = self.rng
        if rng.random() < 0.5:
            room = extent - low + 1
            start = -POOL // 2
            return [start + k * room - low for k in range(count)] if start + count * room < POOL else [0] * count
        spread = rng.choice([1, 3, 20, max(1, extent)])
        return [rng.randint(-spread, spread) for _ in range(count)]

    def call(self, pointers, numbers, low, high):
        if all(-POOL <= p + low and p + high < POOL - 128 for p in pointers):
            self.calls.append([f"pool + POOL + {p}" if p >= 0 else f"pool + POOL - {-p}" for p in pointers] + [str(x) for x in numbers])

    def strides(self):
        rng, t = self.rng, self.index
        order = rng.sample(["i", "j"], 2)
        loops = {"i": f"for ({t} i = 0; i < n; i++)", "j": f"for ({t} j = 0; j < m; j++)"}
        shift = rng.choice(["0", "1", "-1"]) if t in ("int", "long") else "0"
        a = f"A[(i + {shift}) * r + j * c]" if rng.random() < 0.4 else "A[i * r + j * c]"
        b = rng.choice(["B[i * r + j * c]", "B[i]", "B[j]", "B[i * m + j]", "A[i * r + j * c]", "B[i * r]", "B[(i + 1) * r + j * c]"])
        args = f"T *A, T *B, {t} n, {t} m, {t} r, {t} c"
        self.text = f"KERNEL {self.name}({args}) {{\n    {loops[order[0]]}\n        {loops[order[1]]} {self.update(a, b)}\n}}"
        for _ in range(24):
            n, m = rng.choice([0, 1, 2, 5, 9, 14]), rng.choice([0, 1, 2, 5, 9, 14])
            r = rng.choice([m, m + 1, 1, 0, 2, 2 * m, m - 1, 3, n])
            c = rng.choice([1, 1, n, n + 1, 0, 2, n - 1, m])
            if t in ("int", "long") and rng.random() < 0.2:
                r, c = rng.choice([(-r, c), (r, -c), (-r, -c)])
            if t in ("unsigned", "size_t"):
                r, c = max(r, 0), max(c, 0)
            reach = (n + 2) * abs(r) + (m + 1) * abs(c) + n + n * m + m
            self.call(self.pointers(2, reach, -reach if min(r, c) < 0 else -abs(r)), [n, m, r, c], -reach, reach)

    def triangle(self):
        rng, t = self.rng, self.index
        if t == "unsigned" and rng.random() < 0.5:
            t = "int"
        lower = rng.choice(["0", "0", "1"])
        inner = rng.choice([f"{t} j = 0; j <= i; j++", f"{t} j = 0; j < i; j++", f"{t} j = 0; j < m; j++"])
        row = rng.choice(["i * (i + 1) / 2", "i * (i + 1) / 2", "(i * i + i) / 2", "(i + 1) * i / 2"])
        a = f"A[{row} + j]"
        b = rng.choice(["B[i]", "B[j]", "A[j * (j + 1) / 2]", f"B[{row} + j]", "A[(i + 1) * (i + 2) / 2 + j]", f"A[{row}]"])
        self.text = f"KERNEL {self.name}(T *A, T *B, {t} n, {t} m) {{\n    for ({t} i = {lower}; i < n; i++)\n        for ({inner}) {self.update(a, b)}\n}}"
        for _ in range(16):
            n, m = rng.choice([0, 1, 2, 5, 9, 20, 40]), rng.choice([0, 1, 2, 5, 21])
            reach = (n + 2) * (n + 3) // 2 + max(n, m)
            self.call(self.pointers(2, reach), [n, m], 0, reach)

    def remainder(self):
        rng, t = self.rng, self.index
        by = rng.choice([2, 2, 2, 3, 4, 5])
        shift = rng.choice([0, 0, 1, 1, 2])
        plus = f"(i + {shift})" if shift else "i"
        forms = [f"{plus} % {by}", f"i % {by}", f"i / {by}"]
        if by & (by - 1) == 0:
            forms.append(f"({plus} & {by - 1})")
        x, y = rng.choice(forms), rng.choice(forms)
        start = rng.choice(["0", "0", "1"])
        cell = f"A[({x}) * m + j]"
        b = rng.choice([f"A[({y}) * m + j]", f"B[({y}) * m + j]", f"A[({y}) * m + j + 1]", "B[i * m + j]"])
        body = self.update(cell, b)
        guard = f"if (i % {by} == {rng.randrange(by)}) " if rng.random() < 0.2 else ""
        self.text = f"KERNEL {self.name}(T *A, T *B, {t} n, {t} m) {{\n    for ({t} i = {start}; i < n; i++)\n        for ({t} j = 0; j < m; j++) {guard}{body}\n}}"
        for _ in range(16):
            n, m = rng.choice([0, 1, 2, 3, 6, 7, 20, 41]), rng.choice([0, 1, 2, 9, 20])
            reach = (n + by + 2) * (m + 1)
            self.call(self.pointers(2, reach), [n, m], 0, reach)

    def step(self):
        rng, t = self.rng, self.index
        end = rng.choice(["n", "n - 1", "n + m"])
        if t in ("unsigned", "size_t"):
            end = "n"
        cell = rng.choice(["A[i * m + j]", "A[i + j]", "A[j * n + i]", "A[i]"])
        b = rng.choice(["B[j]", "B[i]", "A[i * m + j]", "A[i]"])
        loops = [f"for ({t} i = 0; i < {end}; i += s)", f"for ({t} j = 0; j < m; j++)"]
        rng.shuffle(loops)
        self.text = f"KERNEL {self.name}(T *A, T *B, {t} n, {t} m, {t} s) {{\n    if (s <= 0) return;\n    {loops[0]}\n        {loops[1]} {self.update(cell, b)}\n}}"
        for _ in range(16):
            n, m, s = rng.choice([0, 1, 2, 5, 9, 20]), rng.choice([0, 1, 2, 5, 9]), rng.choice([0, 1, 1, 2, 3, 5, 100])
            reach = (n + m + 1) * (m + n + 1)
            self.call(self.pointers(2, reach), [n, m, s], 0, reach)

    def bound(self):
        rng, t = self.rng, self.index
        bound = rng.choice(["n * m", "n / k", "(n < m ? n : m)", "(n > m ? n : m)", "n % k", "(n + k - 1) / k", "(n < k ? m : n)"])
        cell = rng.choice(["A[i + j]", "A[j]", "A[i * n + j]"])
        b = rng.choice(["B[i]", "B[j]", "A[i]"])
        self.text = f"KERNEL {self.name}(T *A, T *B, {t} n, {t} m, {t} k) {{\n    if (k <= 0) return;\n    for ({t} i = 0; i < m; i++)\n        for ({t} j = 0; j < {bound}; j++) {self.update(cell, b)}\n}}"
        for _ in range(16):
            n, m, k = (rng.choice([0, 1, 2, 5, 9, 20]) for _ in range(3))
            reach = (m + 1) * (n + 1) + n * m + n + m + k
            self.call(self.pointers(2, reach), [n, m, k], 0, reach)

    def vector(self):
        """Addresses in memory, perhaps in the memory that the arrays lie in."""
        rng, t = self.rng, self.index
        size = rng.choice(["n", "v->m", "v->m"]) if t != "size_t" else "n"
        cell = rng.choice(["v->a[i * n + j]", "v->a[j * n + i]", "v->a[i]"])
        b = rng.choice(["v->b[j]", "v->b[i * n + j]", "v->a[j]", "v->b[i]"])
        self.text = (
            f"struct s{self.name} {{ T *a, *b; {t} m; }};\n"
            f"__attribute__((noinline)) static void in_{self.name}(struct s{self.name} *v, {t} n) {{\n    for ({t} i = 0; i < {size}; i++)\n"
            f"        for ({t} j = 0; j < n; j++) {self.update(cell, b)}\n}}\n"
            f"KERNEL {self.name}(T *A, T *B, {t} n, {t} m, int inside) {{\n    struct s{self.name} v = {{A, B, m}}, *p = &v;\n"
            f"    if (inside) {{ p = (struct s{self.name} *)(((uintptr_t)(pool + 2 * POOL - 128) + 63) & ~(uintptr_t)63); memcpy(p, &v, sizeof v); }}\n"
            f"    in_{self.name}(p, n);\n    if (inside) memset(p, 0, sizeof v);\n}}"
        )
        for _ in range(16):
            n, m, inside = rng.choice([0, 1, 2, 5, 9, 14]), rng.choice([0, 1, 2, 5, 9]), rng.choice([0, 0, 0, 1])
            reach = (max(n, m) + 1) * (n + 1)
            self.call(self.pointers(2, reach), [n, m, inside], 0, reach)

    def indirect(self):
        rng, t = self.rng, self.index
        index = rng.choice(["at64", "at32", "at32", "at16"])
        kind = {"at64": "long", "at32": "int", "at16": "unsigned short"}[index]
        which = rng.choice(["i", "j", "j", "i + j", "2 * j"])
        cell = rng.choice(["A[i * m + j]", "A[j * n + i]", "A[i]", "A[j]", "A[i + j]"])
        loops = [f"for ({t} i = 0; i < n; i++)", f"for ({t} j = 0; j < m; j++)"]
        inner = rng.choice(loops[1:] + [f"for ({t} j = 0; j <= i; j++)"])
        if inner != loops[1]:
            order = [loops[0], inner]
        else:
            order = rng.sample(loops, 2)
        body = self.update(cell, f"B[at[{which}]]", rng.choice(["B[at[i]]", "A[j]", "B[at[j] + 1]"]))
        guard = rng.choice(["", "", "if (n > 2) "])
        self.text = f"KERNEL {self.name}(T *A, T *B, {t} n, {t} m, {kind} *at) {{\n    {guard}{order[0]}\n        {order[1]} {body}\n}}"
        for _ in range(16):
            n, m = rng.choice([0, 1, 2, 3, 5, 9, 14]), rng.choice([0, 1, 2, 5, 9, 14])
            reach = max(n, m) * max(n, m) + 70
            self.call(self.pointers(2, reach, -70), [n, m, f"{index} + {rng.choice([0, 0, 3])}"], -70, reach)

    def small(self):
        """Sums of constant length in nests of constant size, which LLVM unrolls in part or altogether."""
        rng, t = self.rng, self.index
        rows, columns, depth = (rng.choice([1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 12]) for _ in range(3))
        if rng.random() < 0.4:
            rows = columns = depth = rng.choice([4, 4, 5, 8])
        pad = rng.choice([0, 0, 0, 1])
        size = (max(rows, columns, depth) + pad) ** 2
        at = lambda name, x, y, width: f"{name}[b * {size * rng.choice([1, 1, 1, 0])} + {x} * {width + pad} + {y}]"
        cell = at("C", "i", "j", columns) if rng.random() < 0.8 else at("C", "j", "i", rows)
        a = at("A", "i", "k", depth) if rng.random() < 0.7 else at("A", "k", "i", rows)
        b = at("B", "k", "j", columns) if rng.random() < 0.7 else at("B", "j", "k", depth)
        a, b = rng.choice([(a, b), (b, a)])
        sign, start = rng.choice("++-"), rng.choice(["0", "0", "(T)1.5", "n", cell, "A[b]", "(T)-0.0"])
        shift = rng.choice(["", "", "", " + 1"])
        between = rng.choice(["", "", "", "", f"{cell} = 0; ", f"B[b] += {cell}; ", f"{cell[:-1]} + 1] = 2; "])
        loop = f"for ({t} k = 0; k < {depth}; k++)"
        if rng.random() < 0.5:
            body = f"T sum = {start}; {between}{loop} sum = (T)(sum {sign} {a} * {b}); {cell[:-1]}{shift}] = sum;"
        else:
            first = f"{cell[:-1]}{shift}] = {start}; " if rng.random() < 0.7 else ""
            body = f"{first}{between}{loop} {cell} = (T)({cell} {sign} {a} * {b});"
        after = rng.choice(["", "", "", f" {cell} *= 2;"])
        loops = [f"for ({t} i = 0; i < {rows}; i++)", f"for ({t} j = 0; j < {columns}; j++)"]
        if rng.random() < 0.3:
            loops.reverse()
        self.text = f"KERNEL {self.name}(T *C, T *A, T *B, {t} n) {{\n    for ({t} b = 0; b < n; b++)\n        {loops[0]}\n            {loops[1]} {{ {body}{after} }}\n}}"
        for _ in range(10):
            n = rng.choice([0, 1, 2, 3, 7])
            reach = (n + 2) * size
            self.call(self.pointers(3, reach), [n], 0, reach)

    def complex(self):
        """Products of complex numbers, some of which are infinite, none or too large for these."""
        rng, t = self.rng, self.index
        c = rng.choice(["C[i * m + j]", "C[i * m + j]", "C[j * n + i]", "C[i]", "C[i + j]"])
        a = rng.choice(["A[i * l + k]", "A[i * l + k]", "A[k * n + i]", "A[k]", "A[i + k]", "A[i]"])
        b = rng.choice(["B[k * m + j]", "B[k * m + j]", "B[j * l + k]", "B[j + k]", "B[j]", "A[i]", "C[k]"])
        value = rng.choice(["{a} * {b}", "{a} * {b}", "~{a} * {b}", "s * {a} * {b}", "{a} * {b} * s", "{a} * {b} + s", "{a} * {b} * {a}", "{a} * __real__ {b}", "{a} * ({b} - s)"]).format(a=a, b=b)
        loops = [f"for ({t} i = 0; i < n; i++)", f"for ({t} j = 0; j < m; j++)", rng.choice([f"for ({t} k = 0; k < l; k++)"] * 3 + [f"for ({t} k = 0; k < l && k <= i; k++)"])]
        order = rng.sample(range(3), 3) if "<= i" not in loops[2] else rng.choice([(0, 1, 2), (0, 2, 1), (1, 0, 2)])
        if order[2] == 2 and rng.random() < 0.5:
            body = f"{{ Z sum = {rng.choice(['0', 's', c])};\n            {loops[2]} sum {rng.choice('+-')}= {value};\n            {c} {rng.choice(['=', '+='])} sum; }}"
        else:
            body = f"\n            {loops[order[2]]} {rng.choice(['', '', '', 'if (i != k) ', 'if (n > 2) '])}{c} {rng.choice(['+=', '+=', '-=', '='])} {value};"
        self.text = (
            f"__attribute__((noinline)) static void in_{self.name}(Z *C, Z *A, Z *B, {t} n, {t} m, {t} l, Z s) {{\n    {loops[order[0]]}\n        {loops[order[1]]} {body}\n}}\n"
            f"KERNEL {self.name}(T *C, T *A, T *B, {t} n, {t} m, {t} l, int at, T special, T s) {{\n    if (at >= 0) (at & 1 ? A : B)[at >> 1] = special;\n"
            f"    in_{self.name}((Z *)C, (Z *)A, (Z *)B, n, m, l, s - (Z)2.5i);\n}}"
        )
        for _ in range(16):
            n, m, l = (rng.choice([0, 1, 2, 3, 5, 8, 9, 14, 17]) for _ in range(3))
            reach = 2 * (max(n, m, l) + 1) ** 2
            at = rng.choice([-1, -1, rng.randint(0, 4 * max(n * l, l * m, 1))])
            special = rng.choice(["INFINITY", "-INFINITY", "NAN", "(T)1e300", "(T)-1e30", "(T)1e150", "(T)1e18", "-0.0", "(T)1e-310"])
            s = rng.choice(["1", "0.5", "-3", "-3", "INFINITY", "NAN", "(T)1e200", "(T)1e30"])
            self.call(self.pointers(3, reach), [n, m, l, at, special, s], 0, reach)

    def unsigned(self):
        rng = self.rng
        t = "unsigned"
        cell = rng.choice(["A[i * n + j]", "A[i * s + j]", "A[(i + 1) * s - j]", "A[i * s + j + n]"])
        b = rng.choice(["B[j * n + i]", "B[j]", "A[j * s + i]", "B[i - j + m]"])
        self.text = f"KERNEL {self.name}(T *A, T *B, {t} n, {t} m, {t} s) {{\n    for ({t} i = 0; i < n; i++)\n        for ({t} j = 0; j < m; j++) {self.update(cell, b)}\n}}"
        for _ in range(16):
            n, m = rng.choice([0, 1, 2, 5, 9, 14]), rng.choice([0, 1, 2, 5, 9])
            s = m + rng.choice([0, 1, 3])
            reach = (max(n, m) + 2) * (max(n, s) + 1) + n + m
            self.call(self.pointers(2, reach), [n, m, s], 0, reach)


def program(seed):
    rng = random.Random(seed)
    element = rng.choice(["double", "float", "int", "short", "long", "unsigned char"])
    kernels = [Kernel(rng, f"f{k}", rng.choice(["int", "int", "long", "unsigned", "size_t"]), element in ("double", "float")) for k in range(6)]
    lines = [HEAD.format(element=element, pool=POOL)] + [k.text for k in kernels]
    lines.append("int main(void) {\n    for (int i = 0; i < 2 * POOL; i++) first[i] = (T)(i * 7 % 31 - 9);\n    memcpy(pool, first, sizeof pool);\n    for (int i = 0; i < 64; i++) at64[i] = at32[i] = i * 29 % 64 - 20, at16[i] = i * 13 % 64;")
    for k in kernels:
        for call in k.calls:
            lines.append(f"    {k.name}({', '.join(call)}), show();")
        lines.append(f'    printf("{k.name} %016lx\\n", (unsigned long)hash);')
    lines.append("    return 0;\n}")
    return "\n".join(lines)


def run(command, timeout):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout, text=True, errors="replace")
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return "timeout", "", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0, help="stop after so long")
    parser.add_argument("--keep", default="build/fuzz")
    options = parser.parse_args()
    config = shutil.which("llvm-config-22")
    if not config:
        sys.exit("llvm-config-22 is not there: run scripts/setup.sh")
    clang = str(pathlib.Path(run([config, "--bindir"], 60)[1].strip()) / "clang")
    start, done, failures, transformed, compared = time.time(), 0, 0, 0, 0
    # Hashes of pointers in the pool would differ from program to program if these were placed at random.
    always = ["-O3", "-w", "-fno-strict-aliasing", "-fwrapv", "-no-pie", "-fno-pie", "-lm"]
    with tempfile.TemporaryDirectory() as folder:
        for seed in itertools.islice(itertools.count(options.seed), options.count):
            if options.seconds and time.time() - start > options.seconds:
                break
            source = pathlib.Path(folder) / "x.c"
            source.write_text(program(seed))
            flags = [*always, *random.Random(-seed).choice([[], ["-march=native"], ["-march=native", "-ffp-contract=off"]])]
            code, _, complaint = run([clang, *flags, str(source), "-o", f"{folder}/plain"], 120)
            if code:
                sys.exit(f"seed {seed}: {complaint}")
            expected = run([f"{folder}/plain"], 60)
            if expected[0] != 0:
                sys.exit(f"seed {seed}: the plain program ends with {expected[0]}")
            for name, how in POLICIES.items():
                command = [clang, *flags, str(source), "-o", f"{folder}/plugged", f"-fpass-plugin={options.plugin}", "-Rpass=loopwright"]
                for option in how:
                    command += ["-mllvm", f"-loopwright-{option.format(seed)}"]
                code, _, text = run(command, 120)
                got = run([f"{folder}/plugged"], 60) if code == 0 else (code, "", text)
                transformed += text.count("[-Rpass=loopwright]")
                compared += 1
                if got[:2] != expected[:2] or "internal error" in text:
                    failures += 1
                    keep = pathlib.Path(options.keep)
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"shapes{seed}-{name}.c").write_text(f"// {' '.join(command)}\n" + source.read_text())
                    print(f"seed {seed}, {name}: {got[0]} {[a for a, b in zip(got[1].split(chr(10)), expected[1].split(chr(10))) if a != b][:1]}", flush=True)
            done += 1
    print(f"{done} programs, {compared} compared, {transformed} nests transformed, {failures} failures, {time.time() - start:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
