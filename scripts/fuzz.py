#!/usr/bin/env python3
"""Random programs against the plugin: generates C with affine loop nests and no undefined behaviour, compiles it plainly
and with the plugin under several sets of options, runs all of them and compares hashes of all memory.

    scripts/fuzz.py --plugin=target/release/libloopwright.so --count=20 --keep=build/fuzz

Every seed is one file of several kernels. What differs, crashes or hangs is shrunk to one small kernel (unless
--no-shrink) and left in the folder of --keep as seedN-OPTIONS.c; its first line is the command that shows it.
The exit status is 1 if there was any. --check-ub compiles with sanitizers instead, to try the generator itself.

How a program stays defined: every pointer lies in a pool of its element type, so far inside that all subscripts, whose
bounds are computed here from the loop bounds and the largest sizes, stay in the pool; integers are computed unsigned;
conversions never leave the range of their target. Only the rows of variable length are taken as mere strides, as LLVM
does: a subscript may leave its row. Pointers overlap at random (never with restrict)."""

import argparse
import bisect
import copy
import math
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

# ---------------------------------------------------------------------------------------------------------------------
# Affine forms: {symbol: coefficient}, "" is the constant.


def affine(constant=0, **terms):
    return {"": constant, **terms}


def plus(a, b, factor=1):
    out = dict(a)
    for symbol, c in b.items():
        out[symbol] = out.get(symbol, 0) + factor * c
    return {s: c for s, c in out.items() if c or s == ""}


def text_of(a, cast=""):
    parts = []
    for symbol, c in sorted(a.items(), key=lambda item: (item[0] == "", item[1] < 0)):
        if c == 0 and (symbol or parts):
            continue
        sign = "-" if c < 0 else "+"
        if symbol == "":
            term = str(abs(c))
        else:
            term = cast + symbol if abs(c) == 1 else f"{abs(c)} * {cast}{symbol}"
        parts.append((sign, term))
    if not parts:
        return "0"
    sign, term = parts[0]
    out = ("-" if sign == "-" else "") + term
    for sign, term in parts[1:]:
        out += f" {sign} {term}"
    return out


# ---------------------------------------------------------------------------------------------------------------------
# Types.

FLOATS = ["double", "float"]
INTS = ["int", "unsigned", "long", "short", "unsigned char", "signed char"]
BYTES = {"double": 8, "float": 4, "int": 4, "unsigned": 4, "long": 8, "short": 2, "unsigned char": 1, "signed char": 1}
# 52-bit products: LLVM dies on them (test-ir/issue/README.md).
NATIVE = ["-march=native", "-mno-avx512ifma"]
MACHINES = [["-O3"], ["-O3"], ["-O2"], ["-O3", "-fno-math-errno"], ["-O3", *NATIVE], ["-O3", *NATIVE], ["-O3", *NATIVE, "-mprefer-vector-width=512"],
            ["-O3", *NATIVE, "-mno-avx512f"], ["-O3", *NATIVE, "-ffp-contract=off"], ["-O3", *NATIVE, "-fno-math-errno"], ["-O3", *NATIVE, "-ffp-contract=fast"],
            # Loops as they are written, left at their head or in the middle; LLVM's own vectors of such loops are wrong (test-ir/issue/README.md).
            ["-O3", *NATIVE, "-mllvm", "-rotation-max-header-size=0", "-fno-vectorize", "-fno-slp-vectorize"]]  # fmt: skip
POOL_BYTES = 1 << 20
MARGIN = 64


class Array:
    """An array of a kernel: flat pointer, pointer to rows (of symbolic or constant length), or global."""

    def __init__(self, name, element, kind, rank, inner):
        self.name, self.element, self.kind, self.rank, self.inner = name, element, kind, rank, inner
        self.shift = [0] * rank  # added to subscripts so that they stay within constant dimensions
        self.extent = [1] * rank
        self.low = self.high = 0  # of flat offsets


class Loop:
    def __init__(self, var, low, high, step, style, body, extra=None):
        self.var, self.low, self.high, self.step, self.style, self.body = var, low, high, step, style, body
        self.extra = extra  # a second upper bound: min


class If:
    def __init__(self, condition, body, other):
        self.condition, self.body, self.other = condition, body, other


class Stmt:
    """kind: assign, update, scalar, scalar_update, swap, memset, memmove, cursor, reset, leave (target: the loop; value: where, if not in its last iteration)"""

    def __init__(self, kind, target, op=None, value=None, extra=None):
        self.kind, self.target, self.op, self.value, self.extra = kind, target, op, value, extra


class Kernel:
    def __init__(self, rng, name, options):
        self.rng, self.name = rng, name
        self.mixed = options.mixed
        self.transformed = False  # by the plugin, under any of the policies
        self.wild = rng.choice([0, 0, 0, 0.03, 0.15])  # how much of what cannot be modelled
        self.stray = rng.choice([0.03, 0.1, 0.4, 1])  # how odd subscripts and bounds are
        self.index = rng.choice(["int", "int", "int", "long", "long", "unsigned", "size_t", "short"])
        self.signed = self.index in ("int", "long", "short")
        self.param = {
            "int": ["int", "int", "long"],
            "long": ["long", "int"],
            "short": ["int"],
            "unsigned": ["unsigned", "int"],
            "size_t": ["size_t", "int", "long"],
        }[self.index]
        self.param = rng.choice(self.param)
        self.negative = self.signed and rng.random() < 0.2
        self.depth = rng.choice([1, 2, 2, 2, 3, 3, 3, 4])
        self.most = {1: 70, 2: 41, 3: 24, 4: 9}[self.depth]
        self.dense = rng.random() < 0.3  # sums over products and the like, which get micro-kernels
        if self.dense:
            self.wild = 0
            self.depth = rng.choice([2, 3, 3, 3, 4])
            self.most = {2: 90, 3: 40, 4: 11}[self.depth]
        self.restrict = rng.random() < (0.5 if self.dense else 0.2)
        self.decides = not self.dense and rng.random() < 0.2  # conditions on data that is kept, changed and computed under other conditions
        # Sizes that are numbers: global arrays are then just as large as what is touched.
        self.fixed = self.dense and rng.random() < 0.3
        self.negative = self.negative and not self.fixed
        least = -5 if self.negative else 0
        self.range = {p: (least, self.most) for p in "nmk"}
        if self.fixed:
            size = rng.randint(2, self.most)
            self.range = {p: (size, size) if rng.random() < 0.7 else (rng.randint(1, self.most),) * 2 for p in "nmk"}
        self.range["st"] = (1, 3)
        self.uses_step = self.signed and rng.random() < 0.1
        self.scope = []  # loops around, outermost first
        self.vars = 0
        self.scalars = []  # (name, type)
        self.cursors = []
        self.floats = rng.random() < 0.6
        # Updates by one operation on integers, whose order does not matter.
        self.operation = rng.choice("+^|&*<>") if not self.floats and rng.random() < 0.5 else None
        self.arrays = [self.array(k) for k in range(rng.randint(2, 4) if self.dense else rng.randint(1, 4))]
        if self.dense and rng.random() < 0.8:
            for a in self.arrays:
                a.element = self.arrays[0].element
        if self.floats and not any(a.element in FLOATS for a in self.arrays):
            self.arrays[0].element = "double"
        for k in range(rng.choice([0, 0, 0, 1, 1, 2])):
            kind = rng.choice(FLOATS) if self.floats and rng.random() < 0.8 else rng.choice(["unsigned", "int", "long"])
            self.scalars.append((f"s{k}", kind))
        if rng.random() < 0.1:
            self.cursors.append("q0")
        self.body = []
        for _ in range(rng.choice([1, 1, 1, 2, 2, 3])):
            choice = rng.random() if self.dense else 1
            if self.fixed and self.depth == 3 and rng.random() < 0.4:
                self.body += self.beside()
                continue
            self.body += self.buffers() if choice < 0.2 else self.factors() if choice < 0.3 else self.solves() if choice < 0.42 else [self.sums()] if choice < 0.85 else self.nest()
        self.measure()
        self.layouts = self.lay_out()
        self.sizes = self.choose_sizes()
        self.local_scalars = rng.random() < 0.85  # not returned

    # ---- generation

    def array(self, k):
        rng = self.rng
        if self.floats:
            element = rng.choice(["double", "double", "double", "float", "float", rng.choice(INTS)])
        else:
            element = rng.choice(INTS)
        rank = rng.choice([1, 1, 2, 2, 2, 3]) if self.depth > 1 else rng.choice([1, 1, 1, 2])
        kinds = ["flat", "flat", "constant", "global"] + ([] if self.negative else ["vla", "vla", "vla"])
        kind = rng.choice(kinds)
        if rank == 3 and self.most > 24:
            rank = 2
        if rank == 1 and kind in ("vla", "constant"):
            kind = "flat"
        inner = [rng.choice([affine(n=1), affine(m=1), affine(m=1), affine(k=1), affine(1, n=1)]) for _ in range(rank - 1)]
        if kind == "flat" and rng.random() < 0.15:
            inner = [affine(rng.choice([7, 16, 40])) for _ in inner]
        return Array(f"{'G' if kind == 'global' else 'A'}{k}", element, kind, rank, inner)

    def nest(self):
        rng = self.rng
        out = []
        for name, _ in self.scalars:
            if rng.random() < 0.4:
                out.append(Stmt("scalar", name, value=("num", rng.randint(0, 3))))
        for q in self.cursors:
            out.append(Stmt("reset", q))
        out.append(self.loop(self.depth if rng.random() < 0.6 else rng.randint(1, self.depth)))
        if rng.random() < 0.1:
            out.append(self.statement())
        if rng.random() < 0.08:
            return [If(self.condition(), out, [])]
        return out

    def loop(self, depth):
        rng = self.rng
        var = f"i{self.vars}"
        self.vars += 1
        outer = [l.var for l in self.scope]
        low, high = affine(0), affine(**{rng.choice("nnmmk"): 1})
        style = "up"
        if rng.random() < 0.1:
            high = affine(rng.choice([1, 2, 5, 8, self.most // 2 + 1]))
        if outer and rng.random() < 0.1 + 0.3 * self.stray:
            by = affine(rng.randint(-1, 1), **{rng.choice(outer): rng.choice([1, 1, 1, 1, 2])})
            if rng.random() < 0.5:
                low = by
            else:
                high = by if rng.random() < 0.6 else plus(high, by, -1)
            if rng.random() < 0.1 and len(outer) > 1:
                high = plus(high, affine(**{rng.choice(outer): 1}))
        elif rng.random() < 0.35:
            low = affine(rng.choice([0, 1, 1, 2, 3, -1, -2]))
            high = plus(high, affine(rng.choice([0, -1, -1, -2, 1, 2])))
        if not self.signed:
            low = {s: abs(c) for s, c in low.items()}
        extra = None
        step = 1
        if rng.random() < 0.15:
            step = rng.choice([2, 2, 3, 4, 7])
            if self.uses_step:
                step = "st"
        if rng.random() < 0.08 and outer:
            extra = plus(affine(rng.randint(1, 4)), affine(**{rng.choice(outer): 1}))
        choice = rng.random()
        if choice < 0.15:
            style = "down"
        elif choice < 0.28:
            style = "upto"  # <=
        elif choice < 0.34:
            style = "dowhile"
        elif choice < 0.40:
            style = "while"
        elif choice < 0.48 and not self.negative and step == 1 and not extra:
            style = "not_equal"
            low, high = affine(0), affine(**{rng.choice("nmk"): 1})
        elif choice < 0.52 and not self.negative and step == 1 and not extra:
            style = "down_not_equal"
            low, high = affine(0), affine(**{rng.choice("nmk"): 1})
        loop = Loop(var, low, high, step, style, [], extra)
        self.scope.append(loop)
        items = rng.choice([1, 1, 1, 2, 2, 3])
        kept = rng.choice(self.scalars) if self.scalars and rng.random() < 0.4 else None
        if depth == 2 and rng.random() < 0.15:
            loop.body += self.recurrence()
        elif depth == 2 and rng.random() < 0.12:
            loop.body += self.least()
        elif kept and depth == 2:  # s = 0; for ... s += ...; A[...] = s
            name, kind = kept
            loop.body.append(Stmt("scalar", name, value=("num", rng.randint(0, 1)) if rng.random() < 0.5 else self.expression(kind in FLOATS, 0)))
            inner = self.loop(1)
            for s in inner.body[:1]:
                if isinstance(s, Stmt) and s.kind in ("assign", "update"):
                    self.scope += [inner]
                    inner.body[0] = Stmt("scalar_update", name, op="+", value=self.expression(kind in FLOATS, 1))
                    self.scope.pop()
            loop.body.append(inner)
            for a in self.arrays:
                if (a.element in FLOATS) >= (kind in FLOATS):
                    loop.body.append(Stmt(rng.choice(["assign", "update"]), self.read(a), op="+", value=("scalar", name)))
                    break
        elif depth == 1:
            for _ in range(items):
                loop.body += self.leaf()
            for q in self.cursors:
                if rng.random() < 0.9:
                    loop.body.append(Stmt("cursor", q))
        else:
            inner = rng.randrange(items)
            for k in range(items):
                if k == inner or rng.random() < 0.3:
                    loop.body.append(self.loop(depth - 1 if k == inner else rng.randint(1, depth - 1)))
                else:
                    loop.body += self.leaf()
        if rng.random() < 0.07:
            self.leave(loop)
        self.scope.pop()
        return loop

    def leave(self, loop):
        """The loop ends in the middle of its body. Enough is around that LLVM does not copy it to the front."""
        rng = self.rng
        at = rng.randint(0, len(loop.body))
        where = None
        if rng.random() < 0.2:
            where = ("cmp", rng.choice([">", ">=", "=="]), affine(**{loop.var: 1}), affine(rng.randint(0, 5), **{rng.choice("nmk"): 1}))
        around = [[s for _ in range(rng.choice([0, 1, 1, 2, 4])) for s in self.leaf()] for _ in range(2)]
        loop.body[at:at] = around[0] + [Stmt("leave", loop, value=where)] + around[1]
        if where is None and loop.style == "up" and rng.random() < 0.7:
            loop.style = "endless"  # nothing else ends it

    def cell(self, a, variables):
        """A cell of a at counters, most of them alone."""
        rng = self.rng
        subs = []
        for _ in range(a.rank):
            own = rng.choice(variables)
            one = affine(rng.choice([0, 0, 0, 0, 1, 2]), **{own: 2 if rng.random() < 0.06 else 1})
            if rng.random() < 0.12:
                one = plus(one, affine(**{rng.choice(variables): 1}))
            subs.append(one)
        return ("read", a, subs, list(self.scope), False)

    def sums(self):
        """Loops over boxes, triangles and bands that add to cells what they read at sums of their counters."""
        rng = self.rng
        loops, depth = [], rng.choice([self.depth, self.depth, max(2, self.depth - 1)])
        # LLVM unrolls loops that are so short.
        short = rng.choice([[], [], [], [depth - 1], [depth - 1], [0, depth - 1], [depth - 2, depth - 1], list(range(depth))])
        for level in range(depth):
            outer = [l.var for l in self.scope]
            low, high, extra = affine(0), affine(**{rng.choice("nnmk"): 1}), None
            choice = rng.random() if outer else 1
            at = affine(**{rng.choice(outer): 1}) if outer else None
            if level in short:
                high = affine(rng.choice([4, 6, 7, 8, 8, 12, 16, 20, 24]))
            elif choice < 0.12:
                high = plus(at, affine(rng.choice([1, 1, 0, 3])))
            elif choice < 0.24:
                low = plus(at, affine(rng.choice([0, 0, 1])))
            elif choice < 0.32:
                low, extra = at, plus(at, affine(rng.randint(1, 5)))
            elif choice < 0.40 and self.signed:
                high = plus(high, at, -1)
            elif rng.random() < 0.2:
                high = affine(rng.choice([1, 2, 3, 3, 3, 4, 5, 8, 9]))
            elif rng.random() < 0.2:
                low = affine(rng.randint(1, 2))
            loop = Loop(f"i{self.vars}", low, high, 1, "down" if rng.random() < 0.05 else "up", [], extra)
            self.vars += 1
            self.scope.append(loop)
            loops.append(loop)

        every = [l.var for l in loops]
        target = self.arrays[0]
        floating = target.element in FLOATS
        moving = rng.sample(every, min(len(every), max(1, rng.choice([target.rank, target.rank, len(every) - 1]))))
        stored = self.cell(target, moving)
        others = [a for a in self.arrays[1:] if floating or a.element in INTS] or [target]
        if rng.random() < 0.1:
            others.append(target)
        operands = [self.cell(rng.choice(others), every) for _ in range(rng.choice([1, 2, 2, 2, 3]))]
        value = operands[0]
        for other in operands[1:]:
            value = ("binary", rng.choice("**+-"), value, other)
        op = rng.choice("+++-" if floating else "+++-^")
        leaf = [Stmt("update", stored, op=op, value=value)]
        if rng.random() < 0.08:
            leaf = [Stmt("assign", stored, value=("extremum", rng.choice("<>"), stored, value))]
        if rng.random() < 0.1:
            leaf = [If(self.condition(), leaf, [])]
        # What comes before and behind the sum of a cell: where its last counter is known.
        last = max((every.index(v) for s in stored[2] for v in s if v in every), default=0)
        around = loops[: last + 1]
        inner = loops[last + 1 :]
        before, behind = [], []
        if inner:
            if rng.random() < 0.25:
                name = f"s{self.vars}_"
                self.scalars.append((name, target.element if floating else "long"))
                before = [Stmt("scalar", name, value=("num", 0) if rng.random() < 0.6 else stored)]
                leaf = [Stmt("scalar_update", name, op=rng.choice("++-"), value=value)]
                behind = [Stmt(rng.choice(["assign", "update"]), stored, op="+", value=("scalar", name))]
            elif rng.random() < 0.3:
                kind = rng.choice(["assign", "update"])
                before = [Stmt(kind, stored, op="*", value=("num", rng.randint(0, 2)))]
            if rng.random() < 0.15:
                one = self.cell(rng.choice(others), every[: last + 1])
                behind.append(Stmt("assign", stored, value=("binary", rng.choice("+*-"), stored, one)))
        body = leaf
        for loop in reversed(inner):
            loop.body = body
            body = [loop]
        body = before + body + behind
        for loop in reversed(around):
            loop.body = body
            body = [loop]
        del self.scope[-len(loops) :]
        return body[0]

    def buffers(self):
        """Rows and planes that each iteration of a loop writes anew, or nearly so, and reads: products that go through them."""
        rng = self.rng
        fits = [a for a in self.arrays if a.rank <= self.depth - 2]
        if not fits:
            return [self.sums()]
        chosen = rng.sample(fits, min(len(fits), rng.choice([1, 1, 1, 2])))
        rest = [a for a in self.arrays if a not in chosen] or chosen
        sources, sinks = (rest[:-1], rest[-1:]) if len(rest) > 1 and rng.random() < 0.7 else (rest, rest)
        around = []
        for _ in range(2 if self.depth - max(a.rank for a in chosen) > 2 and rng.random() < 0.5 else 1):
            around.append(self.counter(affine(0), affine(**{rng.choice("nnmk"): 1})))
        at = affine(**{around[-1].var: 1})
        boxes = {}
        for a in chosen:
            boxes[a.name] = []
            for _ in range(a.rank):
                low, high = affine(0), affine(**{rng.choice("nmmk"): 1})
                choice = rng.random()
                if choice < 0.08:
                    high = plus(at, affine(rng.choice([0, 1, 1])))
                elif choice < 0.16:
                    low = at
                elif choice < 0.22:
                    low = affine(1)
                elif choice < 0.28:
                    high = affine(rng.randint(1, 9))
                boxes[a.name].append((low, high))

        def cell(a, variables):
            if rng.random() < 0.2 or len(variables) < a.rank:
                return self.cell(a, variables)
            own = rng.sample(variables, a.rank)
            return ("read", a, [affine(rng.choice([0] * 9 + [1]), **{v: 1}) for v in own], list(self.scope), False)

        def phase(kind, a, inside=True):
            outer = len(self.scope)
            own = []
            for low, high in boxes[a.name]:
                if not inside:
                    low, high = ({s: c for s, c in bound.items() if s != around[-1].var} or affine(0) for bound in (low, high))
                if rng.random() < 0.06:
                    high = plus(high, affine(rng.choice([-1, 1])))
                elif rng.random() < 0.04:
                    high = affine(**{rng.choice("nmk"): 1})
                if not self.signed:
                    high = {s: abs(c) for s, c in high.items()}
                own.append(self.counter(low, high))
            subs = [affine(**{l.var: 1}) for l in own]
            if rng.random() < 0.05:
                subs = [plus(s, affine(rng.choice([0, 1]), **({around[-1].var: 1} if inside and rng.random() < 0.3 else {}))) for s in subs]
            loops, body = list(own), []
            variables = [l.var for l in self.scope]
            stored = ("read", a, subs, list(self.scope), False)
            fellows = [b for b in sources if a.element in FLOATS or b.element in INTS] or [a]
            if kind == "write":
                value = cell(rng.choice(fellows), variables) if rng.random() < 0.7 else ("num", rng.randint(0, 2))
                body = [Stmt("assign", stored, value=value)]
            elif kind == "read":
                to = [b for b in sinks * 3 + chosen if b.element in FLOATS or a.element in INTS]
                body = [Stmt(rng.choice(["assign", "update"]), cell(rng.choice(to), variables), op=rng.choice("+-"), value=stored)]
            else:
                more = self.counter(affine(0), affine(**{rng.choice("nmk"): 1}))
                every = [l.var for l in self.scope]
                stored = ("read", a, subs, list(self.scope), False)
                operands = [cell(rng.choice(fellows), [every[outer - 1], more.var]), cell(rng.choice(fellows), every[outer:])]
                leaf = [Stmt("update", stored, op=rng.choice("++-"), value=("binary", "*", *operands))]
                if kind == "use":  # the buffer is an operand
                    to = [b for b in sinks if b.element in FLOATS or a.element in INTS] or [a]
                    leaf = [Stmt("update", cell(rng.choice(to), every[:-1]), op="+", value=("binary", "*", stored, operands[1]))]
                    if rng.random() < 0.6:
                        loops = [more, *own]
                    else:
                        loops.append(more)
                elif kind == "sum":
                    more.body = leaf
                    leaf = [Stmt("assign", stored, value=("num", 0)), more]
                else:
                    loops.append(more)
                    rng.shuffle(loops)
                body = leaf
            for loop in reversed(loops):
                loop.body = body
                body = [loop]
            del self.scope[outer:]
            return [If(self.condition(), body, [])] if rng.random() < 0.05 else body

        order = []
        for a in chosen:
            order += rng.choice([[("sum", a)], [("write", a)], [("write", a), ("product", a)], [("write", a), ("product", a)]])
        for _ in range(rng.choice([1, 1, 2, 3])):
            order.append((rng.choice(["read", "read", "read", "use", "use", "product"]), rng.choice(chosen)))
        if rng.random() < 0.08:
            rng.shuffle(order)
        body = [s for kind, a in order for s in phase(kind, a)]
        for loop in reversed(around):
            loop.body = body
            body = [loop]
        del self.scope[-len(around) :]
        if rng.random() < 0.3:
            body += phase("read", rng.choice(chosen), inside=False)
        return body

    def solves(self):
        """Triangular systems with several right-hand sides, or nearly so: by rows and by columns, to the right and to the left, forwards and backwards."""
        rng = self.rng
        planes = [a for a in self.arrays if a.rank == 2]
        if not planes or self.depth < 3:
            return [self.sums()]
        x = rng.choice([a for a in planes if a.element in FLOATS] or planes)
        others = [a for a in self.arrays if a is not x and (x.element in FLOATS or a.element in INTS)] or [x]
        matrix = rng.choice([a for a in others if a.rank == 2] or others)
        right, backwards, outside, unit = (rng.random() < chance for chance in (0.6, 0.3, 0.6, 0.2))
        sides, unknowns = affine(**{rng.choice("mmnk"): 1}), affine(**{rng.choice("nnk"): 1})
        swapped = [rng.random() < chance for chance in (0.5, 0.4)]
        depth = len(self.scope)

        def cell(a, first, second, swap):
            subs = [affine(rng.choice([0] * 49 + [1]), **{l.var: 1}) for l in ((second, first) if swap else (first, second))]
            return ("read", a, (subs + [affine(0)] * a.rank)[: a.rank], list(self.scope), False)

        def inside(loop, make):
            loop.body = [s for one in make for s in one()]
            if rng.random() < 0.04:
                loop.body[rng.randint(0, len(loop.body)) : 0] = self.leaf()
            self.scope.pop()
            return [loop]

        def divided(side, at):
            one = cell(x, side, at, swapped[0])
            kind = rng.choice("//////*") if x.element in FLOATS else "*"
            diagonal = cell(matrix, at, at, False)
            value = ("divide", one, diagonal) if kind == "/" else ("binary", "*", one, diagonal)
            return [] if unit else [Stmt("assign", one, value=value)]

        def updated(side, solved, moved):
            value = ("binary", "*", cell(x, side, solved, swapped[0]), cell(matrix, solved, moved, swapped[1]))
            return [Stmt("update", cell(x, side, moved, swapped[0]), op=rng.choice("-----+"), value=value)]

        def eliminated(side, at):
            here = affine(**{at.var: 1})
            low, high = (affine(0), here) if right == backwards else (plus(here, affine(rng.choice([1] * 14 + [0, 2]))), unknowns)
            other = self.counter(low, high)
            solved, moved = (at, other) if right else (other, at)
            if side:
                return inside(other, [lambda: updated(side, solved, moved)])
            return inside(other, [lambda: each_side(lambda side: updated(side, solved, moved))])

        def each_side(make):
            side = self.counter(affine(0), sides)
            return inside(side, [lambda: make(side)])

        def in_order(divide, eliminate):
            return [divide, eliminate] if right else [eliminate, divide]

        def solved(side):
            at = self.counter(affine(0), unknowns)
            at.style = "down" if backwards else "up"
            if side:
                return inside(at, in_order(lambda: divided(side, at), lambda: eliminated(side, at)))
            if rng.random() < 0.4:
                return inside(at, [lambda: each_side(lambda side: [s for make in in_order(divided, eliminated) for s in make(side, at)])])
            return inside(at, in_order(lambda: each_side(lambda side: divided(side, at)), lambda: eliminated(None, at)))

        def copied(side):
            at = self.counter(affine(0), unknowns)
            fellow = rng.choice([a for a in others if a.rank == 2] or [x])
            return inside(at, [lambda: [Stmt("assign", cell(x, side, at, swapped[0]), value=cell(fellow, side, at, swapped[0]))]])

        if outside:
            first = [copied] if rng.random() < 0.2 else []
            body = each_side(lambda side: [s for make in [*first, solved] for s in make(side)])
        else:
            body = solved(None)
        assert len(self.scope) == depth
        return body

    def factors(self):
        """Factorisations in place, or nearly so: LU's and Cholesky's, step by step or row by row."""
        rng = self.rng
        planes = [a for a in self.arrays if a.rank == 2]
        if not planes or self.depth < 3:
            return [self.sums()]
        x = rng.choice([a for a in planes if a.element in FLOATS] or planes)
        symmetric, by_rows, swapped, merged = (rng.random() < chance for chance in (0.5, 0.5, 0.3, 0.3))
        size = affine(**{rng.choice("nnk"): 1})

        def at(loop, off=0):
            return affine(off + rng.choice([0] * 49 + [1]), **{loop.var: 1})

        def cell(first, second):
            return ("read", x, [at(second), at(first)] if swapped else [at(first), at(second)], list(self.scope), False)

        def inside(low, high, make):
            loop = self.counter(low, high)
            loop.body = make(loop)
            if rng.random() < 0.04:
                loop.body[rng.randint(0, len(loop.body)) : 0] = self.leaf()
            self.scope.pop()
            return [loop]

        def divided(row, column):
            one, diagonal = cell(row, column), cell(column, column)
            divides = x.element in FLOATS and rng.random() < 0.9
            return [Stmt("assign", one, value=("divide", one, diagonal) if divides else ("binary", "*", one, diagonal))]

        def updated(row, column, step):
            other = cell(column, step) if symmetric else cell(step, column)
            return [Stmt("update", cell(row, column), op=rng.choice("-----+"), value=("binary", "*", cell(row, step), other))]

        def root(step):
            return [Stmt("assign", cell(step, step), value=("call", "sqrt(fabs", cell(step, step)))] if symmetric and x.element in FLOATS else []

        def steps(k):
            def columns(i):
                last = at(i, 1) if symmetric else size
                return inside(at(k, 1), last, lambda j: updated(i, j, k))

            if merged:
                return root(k) + inside(at(k, 1), size, lambda i: divided(i, k) + columns(i))
            return root(k) + inside(at(k, 1), size, lambda i: divided(i, k)) + inside(at(k, 1), size, columns)

        def rows(i):
            def column(j):
                return inside(affine(0), at(j), lambda k: updated(i, j, k))

            below = inside(affine(0), at(i), lambda j: column(j) + divided(i, j))
            if symmetric:
                return below + inside(affine(0), at(i), lambda k: updated(i, i, k)) + root(i)
            return below + inside(at(i), size, lambda j: inside(affine(0), at(i), lambda k: updated(i, j, k)))

        return inside(affine(0), size, rows if by_rows else steps)

    def beside(self):
        """Products, solves and inverses of triangles, many side by side in the last dimension of cubes."""
        rng = self.rng
        element = next((a.element for a in self.arrays if a.element in FLOATS), self.arrays[0].element)
        cubes = [Array(f"G{len(self.arrays) + k}", element, "global", 3, [affine(), affine()]) for k in range(rng.choice([2, 3]))]
        self.arrays += cubes
        x, others = cubes[0], cubes[1:]
        loops = {}
        for name in rng.choice(["cij", "cji", "icj", "ijc", "jic", "jci"]):
            high = affine(m=1) if name == "c" else affine(n=1)
            if name == "j" and "i" in loops and rng.random() < 0.3:
                high = affine(rng.choice([0, 1]), **{loops["i"].var: 1})
            loops[name] = self.counter(affine(0), high)
        for outer, inner in zip(self.scope[-3:], self.scope[-2:]):
            outer.body = [inner]

        def at(name, off=0):
            return affine(off, **{loops[name].var: 1})

        def cell(a, *subscripts):
            return ("read", a, list(subscripts), list(self.scope), False)

        def here(a):
            return cell(a, at("i"), at("j"), at("c"))

        def beside_it():
            a = rng.choice(others)
            factor = rng.choice([("num", 1), cell(a, at("i"), at("i"), at("c")), here(a)] if element in FLOATS else [here(a)])
            return Stmt("assign", here(x), value=("binary", "*", here(x), factor))

        def summed():
            a = rng.choice(others)
            return Stmt("update", here(a), op=rng.choice("+-"), value=("binary", "*", here(x), here(rng.choice(others))))

        body = [make() for make in rng.choice([[], [], [beside_it], [summed]])]
        low = rng.choice([affine(0), at("i"), at("j"), at("j"), at("i", 1), at("j", 1)])
        high = rng.choice([at("i"), at("i"), at("j"), affine(n=1), at("i", 1)])
        loops["k"] = self.counter(low, high)
        first = rng.choice([cell(x, at("k"), at("j"), at("c")), cell(x, at("i"), at("k"), at("c")), cell(others[0], at("k"), at("j"), at("c"))])
        third = rng.choice([at("c"), at("c"), affine(0)])
        other = cell(rng.choice(others), *rng.choice([(at("i"), at("k"), third), (at("k"), at("j"), third)]))
        loops["k"].body = [Stmt("update", here(x), op=rng.choice("-+"), value=("binary", "*", other, first))]
        self.scope.pop()
        body.append(loops["k"])
        body += [make() for make in rng.choice([[beside_it], [beside_it], [summed], [], [beside_it, summed]])]
        nest = self.scope[-3]
        self.scope[-1].body = body
        del self.scope[-3:]
        return [nest]

    def counter(self, low, high):
        """A loop inside of those in scope."""
        loop = Loop(f"i{self.vars}", low, high, 1, "down" if self.rng.random() < 0.05 else "up", [])
        self.vars += 1
        self.scope.append(loop)
        return loop

    def recurrence(self):
        """What the last iterations had is carried in scalars that start with something else: r = 0; for ... { A[...] = ... r ...; r = A[...]; }"""
        rng = self.rng
        a = rng.choice(self.arrays)
        kind = a.element if a.element in FLOATS else "long"
        names = [f"r{self.vars}_{k}" for k in range(rng.choice([1, 1, 2, 2, 3]))]
        self.vars += 1
        self.scalars += [(name, kind) for name in names]
        floating = kind in FLOATS
        out = []
        for name in names:
            start = ("num", rng.randint(0, 2)) if rng.random() < 0.7 else self.expression(floating, 0)
            out.append(Stmt("scalar", name, value=start))
        inner = self.loop(1)
        self.scope.append(inner)
        target = self.read(a)
        value = self.expression(floating, rng.randint(1, 2), target)
        for name in names:
            value = ("binary", rng.choice("++-*"), value, ("scalar", name))
        store = [Stmt("assign", target, value=value)]
        shift = [Stmt("scalar", new, value=("scalar", old)) for old, new in reversed(list(zip(names, names[1:])))]
        last = [target, target, self.expression(floating, 1, target), self.read(rng.choice([a] * 2 + self.arrays))]
        last = rng.choice([x for x in last if x[0] != "read" or floating or x[1].element in INTS])
        shift.append(Stmt("scalar", names[0], value=last))
        inner.body = store + shift if rng.random() < 0.8 else shift + store
        if rng.random() < 0.15:
            inner.body += self.leaf()
        self.scope.pop()
        out.append(inner)
        return out

    def least(self):
        """The least or largest of terms in a cell: A[...] = start; for ... if (term < A[...]) A[...] = term;"""
        rng = self.rng
        a = rng.choice(self.arrays)
        floating = a.element in FLOATS
        target = self.read(a)
        out = [Stmt("assign", target, value=self.expression(floating, rng.randint(0, 1), target))] if rng.random() < 0.8 else []
        inner = self.loop(1)
        self.scope.append(inner)
        value = self.expression(floating, rng.randint(1, 2), target)
        stored = value if rng.random() < 0.8 else self.expression(floating, 1, target)
        way = [Stmt("assign", target, value=stored)] + (self.leaf() if rng.random() < 0.1 else [])
        inner.body = [If(("least", target, rng.choice(["<", ">", ">="]), value), way, [])]
        if rng.random() < 0.15:
            inner.body += self.leaf()
        self.scope.pop()
        return [*out, inner]

    def joined(self):
        """Branches that end with the same store, or bring different values to one."""
        rng = self.rng
        a = rng.choice(self.arrays)
        floating = a.element in FLOATS
        target = self.read(a)
        one, other = (self.expression(floating, rng.randint(0, 2), target) for _ in range(2))
        data = [x for x in self.arrays if x.element in INTS or floating]
        condition = ("data", self.read(rng.choice(data))) if data and rng.random() < 0.2 else self.condition()
        if rng.random() < 0.6:
            return [If(condition, [Stmt("assign", target, value=one)], [Stmt("assign", target, value=other)])]
        name, kind = f"t{self.vars}", a.element if floating else "long"
        self.vars += 1
        self.scalars.append((name, kind))
        store = Stmt("assign", target, value=("binary", "+", ("scalar", name), self.expression(floating, 0)))
        return [If(condition, [Stmt("scalar", name, value=one)], [Stmt("scalar", name, value=other)]), store]

    def decided(self, depth=0):
        """A value that decides: computed, perhaps kept in a cell, with ways that change what it came from."""
        rng = self.rng
        a = rng.choice(self.arrays)
        floating = a.element in FLOATS
        name, kind = f"d{self.vars}", a.element if floating else "long"
        self.vars += 1
        self.scalars.append((name, kind))
        source = self.read(a)
        out = [Stmt("scalar", name, value=source if rng.random() < 0.5 else self.expression(floating, 1, source))]
        places = [source]  # where what decides is, or was
        if rng.random() < 0.5:
            places.append(self.read(a))
            out.append(Stmt("assign", places[1], value=("scalar", name)))
        b = rng.choice(self.arrays)
        both = self.read(b) if rng.random() < 0.6 else None  # what both ways store to

        def way():
            body = []
            for _ in range(rng.choice([0, 1, 1, 2])):
                choice = rng.random()
                if choice < 0.3:  # what decided is no longer there
                    value = ("num", rng.randint(0, 2)) if rng.random() < 0.5 else self.expression(floating, 1, source)
                    body.append(Stmt("assign", rng.choice(places), value=value))
                elif choice < 0.45 and depth < 2:
                    body += self.decided(depth + 1)
                elif choice < 0.6:
                    body.append(Stmt("scalar", name, value=self.expression(floating, 1, source)))
                else:
                    body.append(self.statement())
            if both:
                value = self.expression(b.element in FLOATS, rng.randint(0, 1), both)
                body.insert(rng.randint(0, len(body)), Stmt("assign", both, value=value))
            return body

        condition = ("scalar", name, rng.choice(["<", ">", "==", "!=", ">="]), rng.randint(0, 2))
        out.append(If(condition, way() or [self.statement()], way() if rng.random() < 0.7 else []))
        if rng.random() < 0.5:
            out.append(Stmt("assign", self.read(a), value=("scalar", name)))
        return out

    def leaf(self):
        rng = self.rng
        if rng.random() < 0.08:
            return self.joined()
        if self.decides and rng.random() < 0.5:
            return self.decided()
        if rng.random() < 0.06:
            a = rng.choice(self.arrays)
            x, y = self.read(a), self.read(a)
            name = f"t{self.vars}"
            self.vars += 1
            return [Stmt("swap", name, value=x, extra=y)]
        out = [self.statement()]
        if rng.random() < 0.12:
            other = [self.statement()] if rng.random() < 0.3 else []
            return [If(self.condition(), out, other)]
        return out

    def condition(self):
        rng = self.rng
        variables = [l.var for l in self.scope] or ["n"]
        a = affine(**{rng.choice(variables): 1})
        b = affine(rng.randint(0, 3), **{rng.choice(variables + ["n", "m", "k"]): 1})
        if rng.random() < 0.3:
            b = affine(rng.randint(0, 5))
        if rng.random() < 0.1 + self.wild and self.signed is False or rng.random() < 0.05:
            return ("mod", a, rng.choice([2, 3]), rng.choice([0, 1]))
        if rng.random() < self.wild:
            arrays = [x for x in self.arrays]
            return ("data", self.read(rng.choice(arrays)))
        return ("cmp", rng.choice(["<", "<=", ">", ">=", "==", "!="]), a, b)

    def subscript(self, home):
        rng = self.rng
        variables = [l.var for l in self.scope]
        if not variables:
            return affine(rng.randint(0, 4))
        choice = rng.random() / self.stray
        if choice < 0.06:
            return affine(rng.randint(0, 3))
        if choice < 0.10:
            return affine(rng.choice([-1, 0]), **{rng.choice("nmk"): 1})
        if self.cursors and rng.random() < 0.3:
            return affine(**{self.cursors[0]: 1})
        var = home if home in variables and rng.random() < 1 - self.stray / 2 else rng.choice(variables)
        out = affine(rng.choice([0, 0, 0, 0, 1, -1, 2, -2]) if rng.random() < self.stray * 4 else 0, **{var: 1})
        if choice < 0.18:
            out = plus(affine(-1, **{rng.choice("nmk"): 1}), affine(**{var: 1}), -1)
        elif choice < 0.24:
            out = plus(out, affine(**{rng.choice(variables): rng.choice([1, -1])}))
        elif choice < 0.28:
            out = {s: 2 * c if s else c for s, c in out.items()}
        return out

    def read(self, a):
        # Subscripts mostly follow the same loops, in order or transposed.
        rng = self.rng
        variables = [l.var for l in self.scope]
        homes = [None] * a.rank
        if len(variables) >= a.rank:
            chosen = sorted(rng.sample(range(len(variables)), a.rank), reverse=rng.random() < 0.3)
            homes = [variables[v] for v in chosen]
        subs = [self.subscript(h) for h in homes]
        return ("read", a, subs, list(self.scope), rng.random() < self.wild * 0.3)

    def near(self, target):
        """A read of the target's array near the target."""
        _, a, subs, scope, _ = target
        rng = self.rng
        moved = [plus(s, affine(rng.choice([0, 0, 0, 1, -1, 1, -1, 2]))) for s in subs]
        return ("read", a, moved, scope, False)

    def expression(self, floating, depth, target=None):
        rng = self.rng
        choice = rng.random()
        if depth == 0 or choice < 0.25:
            choice = rng.random()
            if target and choice < 0.25:
                return self.near(target)
            readable = [a for a in self.arrays if floating or a.element in INTS]
            if readable and choice < 0.75:
                return self.read(rng.choice(readable))
            names = [n for n, t in self.scalars if floating or t not in FLOATS]
            if names and choice < 0.85:
                return ("scalar", rng.choice(names))
            if self.scope and choice < 0.92:
                return ("index", plus(affine(rng.randint(0, 2)), affine(**{rng.choice(self.scope).var: rng.randint(1, 3)})))
            if choice < 0.95:
                return ("index", affine(**{rng.choice("nmk"): 1}))
            return ("num", rng.randint(1, 5))
        a = self.expression(floating, depth - 1, target)
        if floating and choice < 0.32:
            return ("call", rng.choice(["fabs", "sqrt(fabs", "-"]), a)
        b = self.expression(floating, depth - 1, target)
        if choice < 0.38:
            return ("extremum", rng.choice("<>"), a, b)
        if choice < 0.45:
            return ("fma", a, b, self.expression(floating, depth - 1, target))
        if choice < 0.48:
            return ("divide", a, b)
        if choice < 0.52 and self.scope:
            return ("choose", self.condition(), a, b)
        return ("binary", rng.choice("++-*" if floating else "++-*^&|"), a, b)

    def statement(self):
        rng = self.rng
        a = rng.choice(self.arrays)
        floating = a.element in FLOATS
        choice = rng.random()
        if self.scalars and choice < 0.3:
            name, kind = rng.choice(self.scalars)
            value = self.expression(kind in FLOATS, rng.randint(0, 2))
            if rng.random() < 0.75:
                return Stmt("scalar_update", name, op=rng.choice("+++-*" if kind in FLOATS else "+++-^*"), value=value)
            return Stmt("scalar", name, value=value)
        if choice > 0.97:
            return Stmt("memset", self.read(a), value=rng.choice([0, 0, 1, 255]), extra=affine(**{rng.choice("nmk"): 1}))
        if choice > 0.95:
            return Stmt("memmove", self.read(a), value=self.read(a), extra=affine(**{rng.choice("nmk"): 1}))
        target = self.read(a)
        value = self.expression(floating, rng.choice([1, 1, 2, 2, 3]), target)
        if self.operation and not floating and rng.random() < 0.8:
            return Stmt("update", target, op=self.operation if rng.random() < 0.9 else rng.choice("+^|&*<>"), value=value)
        if choice < 0.6:
            return Stmt("assign", target, value=value)
        return Stmt("update", target, op=rng.choice("+++-*" if floating else "++-^|*"), value=value)

    # ---- bounds

    def extremes(self, expr, scope):
        """Least and largest value where all loops around have an iteration."""
        out = []
        for sign in (-1, 1):
            e = dict(expr)
            for loop in reversed(scope):
                c = e.pop(loop.var, 0)
                if c == 0:
                    continue
                bound = plus(loop.high, affine(-1)) if c * sign > 0 else loop.low
                e = plus(e, bound, c)
            total = 0
            for symbol, c in e.items():
                low, high = (1, 1) if symbol == "" else self.range[symbol]
                total += max(c * low, c * high) if sign > 0 else min(c * low, c * high)
            out.append(total)
        return out[0], out[1]

    def each_read(self):
        """(read, length along the last dimension) of everything that is accessed."""

        def of_expression(e):
            if not isinstance(e, tuple):
                return
            if e[0] == "read":
                yield e
                return
            for part in e[1:]:
                yield from of_expression(part)

        def of_body(body):
            for s in body:
                if isinstance(s, Loop):
                    yield from of_body(s.body)
                elif isinstance(s, If):
                    for r in of_expression(s.condition):
                        yield r, 1
                    yield from of_body(s.body)
                    yield from of_body(s.other)
                else:
                    length = self.most if s.kind.startswith("mem") else 1
                    for part in (s.target, s.value, s.extra):
                        for r in of_expression(part):
                            yield r, length

        yield from of_body(self.body)

    def steps(self, body, scope):
        """The most that one run of the body can add to a cursor."""
        total = 0
        for s in body:
            if isinstance(s, Loop):
                low, high = self.extremes(plus(s.high, s.low, -1), scope)
                total += max(0, high) * self.steps(s.body, [*scope, s])
            elif isinstance(s, If):
                total += self.steps(s.body, scope) + self.steps(s.other, scope)
            else:
                total += s.kind == "cursor"
        return total

    def measure(self):
        for q in self.cursors:
            self.range[q] = (0, self.steps(self.body, []))
        reads = list(self.each_read())
        bounds = {}
        for (_, a, subs, scope, _), length in reads:
            for d, s in enumerate(subs):
                low, high = self.extremes(s, scope)
                if d == a.rank - 1:
                    high += length - 1
                old = bounds.get((a.name, d), (0, 0))
                bounds[a.name, d] = (min(low, old[0]), max(high, old[1]))
        for a in self.arrays:
            limits = [bounds.get((a.name, d), (0, 0)) for d in range(a.rank)]
            fixed = a.kind in ("constant", "global")
            for d, (low, high) in enumerate(limits):
                if low < 0 and (not self.signed or a.kind == "global" or (fixed and d > 0)):
                    a.shift[d] = -low
                a.extent[d] = high + a.shift[d] + 1
            low, high = limits[0][0] + a.shift[0], limits[0][1] + a.shift[0]
            for d in range(1, a.rank):
                if fixed:
                    stride = (a.extent[d], a.extent[d])
                else:
                    stride = self.extremes(a.inner[d - 1], [])
                corners = [x * y for x in (low, high) for y in stride]
                low = min(corners) + limits[d][0] + a.shift[d]
                high = max(corners) + limits[d][1] + a.shift[d]
            a.low, a.high = low, high

    def pool(self, a):
        return "mixed" if self.mixed and a.element in INTS else a.element

    def lay_out(self):
        """For each layout the byte offset of each pointer in its pool; None when one does not fit."""
        rng = self.rng
        pointers = [a for a in self.arrays if a.kind != "global"]
        if any((a.high - a.low + 2 * MARGIN) * BYTES[a.element] >= POOL_BYTES for a in pointers):
            raise Unfit
        if any(math.prod(a.extent) > 200000 for a in self.arrays if a.kind == "global"):
            raise Unfit
        out = []
        position, disjoint = {}, []
        for a in pointers:
            size = BYTES[a.element]
            at = (position.get(self.pool(a), MARGIN) + 7) // 8 * 8
            disjoint.append(at - a.low * size)
            position[self.pool(a)] = at + (a.high - a.low + 1) * size
        fits = all(p < POOL_BYTES - MARGIN for p in position.values())
        if fits:
            out.append(disjoint)
        elif self.restrict:
            raise Unfit
        if self.restrict:
            return out
        for scale in (0, 3, self.most, self.most * self.most):
            centre = {p: None for p in map(self.pool, pointers)}
            offsets = []
            for a in pointers:
                size = BYTES[a.element]
                lowest, highest = MARGIN - a.low * size, POOL_BYTES - MARGIN - (a.high + 1) * size
                if centre[self.pool(a)] is None:
                    centre[self.pool(a)] = POOL_BYTES // 3
                at = centre[self.pool(a)] + rng.randint(-scale, scale) * size
                at = max(lowest, min(highest, at))
                offsets.append((at + size - 1) // size * size)
            if len(pointers) > 1 or not out:
                out.append(offsets)
        return out

    def window(self, pool, row):
        """The bytes of the pool, from and to, that this layout's pointers reach, and some more."""
        pointers = [a for a in self.arrays if a.kind != "global"]
        low, high = POOL_BYTES, 0
        for a, offset in zip(pointers, row):
            if self.pool(a) == pool:
                low = min(low, offset + a.low * BYTES[a.element])
                high = max(high, offset + (a.high + 1) * BYTES[a.element])
        return max(0, low - MARGIN * 8) // 64 * 64, min(POOL_BYTES, (high + MARGIN * 8 + 63) // 64 * 64)

    def choose_sizes(self):
        rng = self.rng
        top = self.most
        if self.fixed:
            return [tuple(self.range[p][0] for p in "nmk") + (rng.randint(1, 3),)]
        sizes = [(0, 0, 0), (1, 1, 1), (2, 2, 2), (3, 2, 4), (top, top, top)]
        for _ in range(3):
            sizes.append(tuple(rng.randint(0, top) for _ in range(3)))
        for _ in range(3):
            sizes.append(tuple(rng.randint(0, min(6, top)) for _ in range(3)))
        sizes.append((top, rng.randint(1, 5), top))
        sizes.append((rng.randint(1, 5), top, top))
        if self.negative:
            sizes += [tuple(rng.randint(-5, top) for _ in range(3)) for _ in range(4)]
        return [s + (rng.randint(1, 3),) for s in sizes]


class Unfit(Exception):
    pass


# ---------------------------------------------------------------------------------------------------------------------
# Text.


class Writer:
    def __init__(self, kernel):
        self.k = kernel
        self.lines = []

    def cell(self, read):
        _, a, subs, _, odd = read
        texts = []
        for d, s in enumerate(subs):
            t = text_of(plus(s, affine(a.shift[d])))
            if odd and self.k.signed is False:
                t = f"({t}) / 2"
            texts.append(t)
        if a.kind != "flat":
            return a.name + "".join(f"[{t}]" for t in texts)
        flat = texts[0]
        for d in range(1, a.rank):
            stride = text_of(a.inner[d - 1])
            flat = f"({flat}) * ({stride}) + {texts[d]}"
        return f"{a.name}[{flat}]"

    def condition(self, c):
        if c[0] == "data":
            return f"{self.cell(c[1])} > 1"
        if c[0] == "scalar":
            return f"{c[1]} {c[2]} {c[3]}"
        if c[0] == "least":
            return f"{self.value(c[1][1].element, c[3])} {c[2]} {self.cell(c[1])}"
        if c[0] == "mod":
            return f"({text_of(c[1])}) % {c[2]} == {c[3]}"
        _, op, a, b = c
        # Nothing negative may be compared unsigned: both sides get what the other lacks.
        if not self.k.signed:
            difference = plus(a, b, -1)
            a = {s: v for s, v in difference.items() if v > 0} or affine(0)
            b = {s: -v for s, v in difference.items() if v < 0} or affine(0)
        return f"{text_of(a)} {op} {text_of(b)}"

    def expression(self, e, floating):
        kind = e[0]
        unsigned = "unsigned long"
        sub = lambda x: self.expression(x, floating)
        if kind == "num":
            return f"{e[1]}.0" if floating == "double" else f"{e[1]}.0f" if floating else f"({unsigned}){e[1]}"
        if kind == "read":
            cast = "" if floating and e[1].element in FLOATS else f"({floating or unsigned})"
            return cast + self.cell(e)
        if kind == "scalar":
            return f"({floating or unsigned}){e[1]}"
        if kind == "index":
            return f"({floating or unsigned})({text_of(e[1])})"
        if kind == "binary":
            a, b = sub(e[2]), sub(e[3])
            return f"({a} {e[1]} {b}) * 0.5{'f' if floating == 'float' else ''}" if floating and e[1] == "*" else f"({a} {e[1]} {b})"
        if kind == "call":
            return f"{e[1]}({sub(e[2])})" + (")" if e[1].count("(") else "")
        if kind == "extremum":
            a, b = sub(e[2]), sub(e[3])
            if not floating:
                return f"((long)({a}) {e[1]} (long)({b}) ? {a} : {b})"
            return f"({a} {e[1]} {b} ? {a} : {b})"
        if kind == "fma":
            return f"({sub(e[1])} * {sub(e[2])} + {sub(e[3])})"
        if kind == "divide":
            a, b = sub(e[1]), sub(e[2])
            return f"({a} / {b})" if floating else f"({b} ? {a} / ({b}) : 1)"
        if kind == "choose":
            return f"({self.condition(e[1])} ? {sub(e[2])} : {sub(e[3])})"
        raise AssertionError(kind)

    def put(self, depth, line):
        self.lines.append("    " * depth + line)

    def value(self, element, e):
        return f"({element})({self.expression(e, element if element in FLOATS else '')})"

    def combined(self, element, target, op, e):
        if element in FLOATS:
            scale = "" if op != "*" else " * 0.125" + ("f" if element == "float" else "")
            return f"{target} {op}= {self.expression(e, element)}{scale}"
        if op in "<>":
            return f"({{ {element} x = {self.value(element, e)}; {target} = {target} {op} x ? {target} : x; }})"
        return f"{target} = ({element})((unsigned long){target} {op} {self.expression(e, '')})"

    def test(self, v, op, bound):
        """v op bound, without negative terms when unsigned"""
        if self.k.signed:
            return f"{v} {op} {text_of(bound)}"
        left = plus(affine(**{v: 1}), {x: -c for x, c in bound.items() if c < 0})
        right = {x: c for x, c in bound.items() if c > 0} or affine(0)
        return f"{text_of(left)} {op} {text_of(right)}"

    def goes_down(self, s):
        """Whether a loop of style down is written so; some cannot be, unsigned."""
        return s.style == "down_not_equal" or s.style == "down" and (self.k.signed or all(c >= 0 for c in s.high.values()) and s.step == 1)

    def left(self, s):
        """Where the loop is left by a statement in its body."""
        loop = s.target
        if s.value:
            return self.condition(s.value)
        if self.goes_down(loop):
            return self.test(loop.var, "<", plus(loop.low, affine(0, st=1) if loop.step == "st" else affine(loop.step)))
        if loop.style == "not_equal":
            return self.test(loop.var, "==", plus(loop.high, affine(-1)))
        step = affine(0, st=-1) if loop.step == "st" else affine(-loop.step)
        more = f" || {self.test(loop.var, '>=', plus(loop.extra, step))}" if loop.extra else ""
        return self.test(loop.var, ">=", plus(loop.high, step)) + more

    def loop(self, depth, s):
        k, v = self.k, s.var
        high = s.high
        kind = k.index
        step = f"{v} += {s.step}" if s.step != 1 else f"{v}++"
        low_text = text_of(s.low)

        def test(op, bound, offset=0):
            return self.test(v, op, plus(bound, affine(offset)))

        more = f" && {test('<', s.extra)}" if s.extra else ""
        if s.style == "not_equal":
            self.put(depth, f"for ({kind} {v} = {low_text}; {v} != {text_of(high)}; {v}++) {{")
        elif s.style == "down_not_equal":
            self.put(depth, f"for ({kind} {v} = {text_of(high)}; {v}-- != {low_text};) {{")
        elif s.style == "upto":
            self.put(depth, f"for ({kind} {v} = {low_text}; {test('<=', high, -1) if k.signed else test('<', high)}{more}; {step}) {{")
        elif s.style == "down" and k.signed:
            back = f"{v} -= {s.step}" if s.step != 1 else f"{v}--"
            self.put(depth, f"for ({kind} {v} = {text_of(plus(high, affine(-1)))}; {v} >= {low_text}; {back}) {{")
        elif s.style == "down" and self.goes_down(s):
            self.put(depth, f"for ({kind} {v} = {text_of(high)}; {v} > {low_text};) {{")
            self.put(depth + 1, f"{v}--;")
        elif s.style == "dowhile":
            self.put(depth, "{")
            self.put(depth, f"{kind} {v} = {low_text};")
            self.put(depth, f"if ({test('<', high)}{more}) do {{")
            self.body(depth + 1, s.body)
            self.put(depth, f"}} while ({step}, {test('<', high)}{more});")
            self.put(depth, "}")
            return
        elif s.style == "endless" and any(isinstance(x, Stmt) and x.kind == "leave" and not x.value for x in s.body):
            self.put(depth, "{")
            self.put(depth, f"{kind} {v} = {low_text};")
            self.put(depth, f"if ({test('<', high)}{more}) for (;; {step}) {{")
            self.body(depth + 1, s.body)
            self.put(depth, "}")
            self.put(depth, "}")
            return
        elif s.style == "while":
            self.put(depth, "{")
            self.put(depth, f"{kind} {v} = {low_text};")
            self.put(depth, f"while ({test('<', high)}{more}) {{")
            self.body(depth + 1, s.body)
            self.put(depth + 1, f"{step};")
            self.put(depth, "}")
            self.put(depth, "}")
            return
        else:
            self.put(depth, f"for ({kind} {v} = {low_text}; {test('<', high)}{more}; {step}) {{")
        self.body(depth + 1, s.body)
        self.put(depth, "}")

    def body(self, depth, body):
        k = self.k
        types = dict(k.scalars)
        for s in body:
            if isinstance(s, Loop):
                self.loop(depth, s)
            elif isinstance(s, If):
                self.put(depth, f"if ({self.condition(s.condition)}) {{")
                self.body(depth + 1, s.body)
                if s.other:
                    self.put(depth, "} else {")
                    self.body(depth + 1, s.other)
                self.put(depth, "}")
            elif s.kind == "assign":
                self.put(depth, f"{self.cell(s.target)} = {self.value(s.target[1].element, s.value)};")
            elif s.kind == "update":
                self.put(depth, self.combined(s.target[1].element, self.cell(s.target), s.op, s.value) + ";")
            elif s.kind == "scalar":
                self.put(depth, f"{s.target} = {self.value(types[s.target], s.value)};")
            elif s.kind == "scalar_update":
                self.put(depth, self.combined(types[s.target], s.target, s.op, s.value) + ";")
            elif s.kind == "swap":
                x, y = self.cell(s.value), self.cell(s.extra)
                self.put(depth, f"{{ {s.value[1].element} {s.target} = {x}; {x} = {y}; {y} = {s.target}; }}")
            elif s.kind == "leave":
                self.put(depth, f"if ({self.left(s)}) break;")
            elif s.kind == "cursor":
                self.put(depth, f"{s.target}++;")
            elif s.kind == "reset":
                self.put(depth, f"{s.target} = 0;")
            else:
                a = s.target[1]
                count = text_of(s.extra)
                size = f"({count} > 0 ? (unsigned long)({count}) * sizeof({a.element}) : 0)"
                if s.kind == "memset":
                    self.put(depth, f"memset(&{self.cell(s.target)}, {s.value}, {size});")
                else:
                    self.put(depth, f"memmove(&{self.cell(s.target)}, &{self.cell(s.value)}, {size});")

    def declaration(self, a):
        restrict = " restrict" if self.k.restrict else ""
        if a.kind == "flat":
            return f"{a.element} *{restrict} {a.name}"
        inner = [str(e) for e in a.extent[1:]] if a.kind == "constant" else [text_of(e) for e in a.inner]
        return f"{a.element} (*{restrict} {a.name}){''.join(f'[{e}]' for e in inner)}"

    def kernel(self):
        k = self.k
        pointers = [a for a in k.arrays if a.kind != "global"]
        for a in k.arrays:
            if a.kind == "global":
                extents = "".join(f"[{e}]" for e in a.extent)
                self.put(0, f"static {a.element} {k.name}_{a.name}{extents};")
                self.put(0, f"#define {a.name} {k.name}_{a.name}")
        behind = "_" if k.fixed else ""
        for p in "nmk" if k.fixed else "":
            self.put(0, f"#define {p} {k.range[p][0]}")
        arguments = [*(f"{k.param} {p}{behind}" for p in "nmk"), f"{k.param} st", *map(self.declaration, pointers)]
        self.put(0, f"__attribute__((noinline)) double {k.name}({', '.join(arguments)}) {{")
        for name, kind in k.scalars:
            self.put(1, f"{kind} {name} = 1;")
        for q in k.cursors:
            # Counts the iterations of a whole nest: too many for a short.
            self.put(1, f"{'int' if k.index == 'short' else k.index} {q} = 0;")
        self.body(1, k.body)
        result = "0"
        if not k.local_scalars:
            result = " + ".join(f"(double){name}" for name, _ in k.scalars) or "0"
        self.put(1, f"return {result};")
        self.put(0, "}")
        for p in "nmk" if k.fixed else "":
            self.put(0, f"#undef {p}")
        # The runs.
        self.put(0, f"SLOW static void run_{k.name}(void) {{")
        self.put(1, "static const int sizes[][4] = {" + ", ".join("{%d, %d, %d, %d}" % s for s in k.sizes) + "};")
        width = max(1, len(pointers))
        rows = ", ".join("{" + ", ".join(map(str, row or [0])) + "}" for row in k.layouts)
        self.put(1, f"static const int layouts[][{width}] = {{{rows}}};")
        # Every run fills and hashes the part of each pool that can be reached; what is written elsewhere shows in the end.
        used = sorted({k.pool(a) for a in pointers})
        windows = [[bound for p in used for bound in k.window(p, row)] or [0] for row in k.layouts]
        rows = ", ".join("{" + ", ".join(map(str, row)) + "}" for row in windows)
        self.put(1, f"static const int windows[][{max(1, 2 * len(used))}] = {{{rows}}};")
        for p in used:
            self.put(1, f"fill_{suffix(p)}(0, {POOL_BYTES});")
        self.put(1, "for (unsigned l = 0; l < sizeof layouts / sizeof *layouts; l++)")
        self.put(1, "    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {")
        for j, p in enumerate(used):
            self.put(3, f"fill_{suffix(p)}(windows[l][{2 * j}], windows[l][{2 * j + 1}]);")
        for a in k.arrays:
            if a.kind == "global":
                total = " * ".join(map(str, a.extent))
                self.put(3, f"start_{suffix(a.element)}(({a.element} *){a.name}, {total});")
        values = ["sizes[s][0]", "sizes[s][1]", "sizes[s][2]", "sizes[s][3]"]
        for j, a in enumerate(pointers):
            values.append(f"(void *)(pool_{suffix(k.pool(a))} + layouts[l][{j}])")
        self.put(3, "unsigned long h = 1;")
        self.put(3, f"double result = {k.name}({', '.join(values)});")
        self.put(3, "h = hash_double(h, (unsigned char *)&result, sizeof result);")
        for j, p in enumerate(used):
            start, end = f"windows[l][{2 * j}]", f"windows[l][{2 * j + 1}]"
            self.put(3, f"h = hash_{hashed_as(p)}(h, pool_{suffix(p)} + {start}, {end} - {start});")
        for a in k.arrays:
            if a.kind == "global":
                self.put(3, f"h = hash_{hashed_as(a.element)}(h, (unsigned char *){a.name}, sizeof {a.name});")
        self.put(3, f'printf("{k.name} n=%d m=%d k=%d st=%d layout %u: %016lx\\n", sizes[s][0], sizes[s][1], sizes[s][2], sizes[s][3], l, h);')
        self.put(3, "fflush(stdout);")
        self.put(2, "}")
        for p in used:
            self.put(1, f'printf("{k.name} all of pool {p}: %016lx\\n", hash_{hashed_as(p)}(1, pool_{suffix(p)}, {POOL_BYTES}));')
        self.put(0, "}")
        for a in k.arrays:
            if a.kind == "global":
                self.put(0, f"#undef {a.name}")
        return "\n".join(self.lines) + "\n"


# What every program begins with, and what it shares with all others: the pools, how they are filled and hashed. When many
# programs are run the latter is compiled once.
PRELUDE = """#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
// Not what is tested.
#define SLOW __attribute__((optnone, noinline))
"""


def suffix(pool):
    return pool.replace(" ", "_")


def hashed_as(pool):
    return pool if pool in FLOATS else "bytes"


POOLS = ["mixed", *FLOATS, *INTS]


def declarations():
    out = "unsigned long hash_bytes(unsigned long, const unsigned char *, long);\n"
    for kind in FLOATS:
        out += f"unsigned long hash_{kind}(unsigned long, const unsigned char *, long);\n"
    for pool in POOLS:
        out += f"extern unsigned char pool_{suffix(pool)}[{POOL_BYTES}];\nvoid fill_{suffix(pool)}(long, long);\n"
    for element in FLOATS + INTS:
        out += f"void start_{suffix(element)}({element} *, long);\n"
    return out


HASHES = r"""static unsigned long mix(unsigned long h, unsigned long x) {
    h = (h ^ x) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 29);
}
unsigned long hash_bytes(unsigned long h, const unsigned char *p, long n) {
    long i = 0;
    for (; i + 8 <= n; i += 8) {
        unsigned long x;
        memcpy(&x, p + i, 8);
        h = mix(h, x);
    }
    for (; i < n; i++) h = mix(h, p[i]);
    return h;
}
// Which not-a-number it is is not defined.
unsigned long hash_double(unsigned long h, const unsigned char *p, long n) {
    for (long i = 0; i < n; i += 8) {
        double x;
        unsigned long bits;
        memcpy(&x, p + i, 8);
        memcpy(&bits, p + i, 8);
        h = mix(h, x != x ? 7 : bits);
    }
    return h;
}
unsigned long hash_float(unsigned long h, const unsigned char *p, long n) {
    for (long i = 0; i < n; i += 4) {
        float x;
        unsigned bits;
        memcpy(&x, p + i, 4);
        memcpy(&bits, p + i, 4);
        h = mix(h, x != x ? 7 : bits);
    }
    return h;
}
"""


def common():
    """Definitions of what `declarations` declares. A pool's first values are made when it is first filled."""
    out = HASHES
    for pool in POOLS:
        name = suffix(pool)
        element = "unsigned char" if pool == "mixed" else pool
        value = "(double)(i * 37 % 1009) / 512 - 1" if pool in FLOATS else "i * 37 % 251 - 100"
        out += f"unsigned char pool_{name}[{POOL_BYTES}] __attribute__((aligned(64)));\n"
        out += f"void fill_{name}(long low, long high) {{\n    static unsigned char first[{POOL_BYTES}] __attribute__((aligned(64)));\n"
        out += f"    static int ready;\n    if (!ready) for (long i = 0; i < {POOL_BYTES // BYTES[element]}; i++) "
        out += f"(({element} *)first)[i] = ({element})({value});\n    ready = 1;\n    memcpy(pool_{name} + low, first + low, high - low);\n}}\n"
    for element in FLOATS + INTS:
        value = "(i % 13) * 0.25 - 1" if element in FLOATS else "i * 7 % 101"
        out += f"void start_{suffix(element)}({element} *p, long n) {{\n    for (long i = 0; i < n; i++) p[i] = ({element})({value});\n}}\n"
    return out


def program(kernels, alone=True):
    """The text of a program; without what all share unless it stands alone."""
    text = PRELUDE + declarations()
    if alone:
        text += "#pragma clang attribute push(__attribute__((optnone, noinline)), apply_to = function)\n" + common() + "#pragma clang attribute pop\n"
    text += "".join(Writer(k).kernel() for k in kernels)
    return text + "SLOW int main(void) {\n" + "".join(f"    run_{k.name}();\n" for k in kernels) + "}\n"


# ---------------------------------------------------------------------------------------------------------------------
# Running.

RUN_LIMIT, COMPILE_LIMIT = 60, 30  # seconds of processor time; for compiling with the plugin, three times what it takes without comes on top


def run(command, limit):
    def prepare():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", preexec_fn=prepare)


def processor_time():
    """Seconds of all that ran."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Machine:
    def __init__(self, chosen, folder):
        self.chosen, self.folder = chosen, folder
        self.transformed = 0
        self.excused = 0  # differences that are a known fault of LLVM
        self.left = {}
        self.shared = {}  # the object of what all programs share, by the flags it needs
        self.plain, self.plain_time = b"", 0.0  # the last object made without the plugin, and what that took

    def link_with(self, base):
        """The object of what all programs share."""
        sanitizers = tuple(flag for flag in base if "sanitize" in flag)
        if sanitizers not in self.shared:
            source, target = self.folder / "shared.c", self.folder / f"shared{len(self.shared)}.o"
            source.write_text(PRELUDE + declarations() + common())
            subprocess.run([self.chosen.clang, "-std=gnu11", "-w", "-O2", "-fno-strict-aliasing", *sanitizers, "-c", str(source), "-o", str(target)], check=True)
            self.shared[sanitizers] = target
        return str(self.shared[sanitizers])

    def output(self, source, base, options, kernels=()):
        """('ok', lines), ('same', '') where the object is the last one made without the plugin, or ('crash' / 'hang' /
        'dies', text). Notes in the kernels which of them were transformed."""
        made, target = self.folder / "program.o", self.folder / "program"
        plugin = [] if options is None else [f"-fpass-plugin={self.chosen.plugin}", *options]
        remarks = [] if options is None else ["-Rpass=loopwright", "-Rpass-missed=loopwright"]
        command = [self.chosen.clang, "-std=gnu11", "-w", *base, *plugin, "-c", str(source), "-o", str(made)]
        # Processor time: the machine may be busy. Some programs take LLVM long without the plugin, too.
        limit = COMPILE_LIMIT if options is None else COMPILE_LIMIT + math.ceil(3 * self.plain_time)
        before = processor_time()
        done = run([*command, *remarks], limit)
        if done.returncode != 0 and "vectorizeHorReduction" in done.stdout:
            # LLVM's (test-ir/issue/README.md): most often only where there are remarks.
            done = run(command, limit)
            if done.returncode != 0 and "vectorizeHorReduction" in done.stdout:
                self.excused += 1
                done = run([*command, "-fno-slp-vectorize"], limit)
        if done.returncode != 0:
            if processor_time() - before > limit - 2:
                return "hang", f"compiling takes more than {limit} s"
            return "crash", done.stdout[-3000:]
        if options is not None and "internal error" in done.stdout:
            return "crash", next(l for l in done.stdout.splitlines() if "internal error" in l)
        if kernels:
            self.count(source, done.stdout, kernels)
        if options is None:
            self.plain, self.plain_time = made.read_bytes(), processor_time() - before
        elif self.plain == made.read_bytes():
            return "same", ""
        linked = [self.chosen.clang, *(flag for flag in base if "sanitize" in flag), str(made), self.link_with(base), "-lm", "-o", str(target)]
        subprocess.run(linked, check=True)
        before = processor_time()
        done = run([str(target)], RUN_LIMIT)
        if done.returncode != 0:
            if processor_time() - before > RUN_LIMIT - 2:
                return "hang", f"running takes more than {RUN_LIMIT} s"
            lines = done.stdout.splitlines()
            return "dies", f"exit status {done.returncode} after: {lines[-1] if lines else 'nothing'}"
        return "ok", done.stdout.splitlines()

    def with_seen_masks(self, source, base, options):
        """What the program prints when LLVM's code generator does not know which single lane a store lets through, if it has such stores (test-ir/issue/README.md:
        llvm-project 179489)."""
        code, made, target = self.folder / "masks.ll", self.folder / "masks.o", self.folder / "masks"
        plugin = [f"-fpass-plugin={self.chosen.plugin}", *options]
        subprocess.run([self.chosen.clang, "-std=gnu11", "-w", *base, *plugin, "-S", "-emit-llvm", str(source), "-o", str(code)], check=True)
        globals_, lines = [], []
        for line in code.read_text().splitlines():
            mask = re.search(r"<(\d+) x i1> (<[^<>]*>|splat[^,)]*)", line) if "@llvm.masked.store." in line and " call " in f" {line}" else None
            if mask and mask.group(2).count("i1 true") == 1 and not mask.group(2).startswith("splat"):
                ty, name = f"<{mask.group(1)} x i1>", f"seen{len(globals_)}"
                globals_.append(f"@{name} = global {ty} {mask.group(2)}")
                lines.append(f"  %{name} = load volatile {ty}, ptr @{name}")
                line = line.replace(mask.group(0), f"{ty} %{name}")
            lines.append(line)
        if not globals_:
            return None
        code.write_text("\n".join([*lines, *globals_, ""]))
        subprocess.run([self.chosen.clang, "-w", "-O3", "-Xclang", "-disable-llvm-passes", "-c", str(code), "-o", str(made)], check=True)
        subprocess.run([self.chosen.clang, str(made), self.link_with(base), "-lm", "-o", str(target)], check=True)
        return run([str(target)], RUN_LIMIT).stdout.splitlines()

    def count(self, source, remarks, kernels):
        starts = [n for n, line in enumerate(source.read_text().splitlines(), 1) if line.startswith("__attribute__((noinline)) double f")]
        for line in re.findall(r":(\d+):\d+: remark: .* \[-Rpass=loopwright\]", remarks):
            self.transformed += 1
            kernels[max(0, bisect.bisect(starts, int(line)) - 1)].transformed = True
        for reason in re.findall(r"remark: (.*) \[-Rpass-missed=loopwright\]", remarks):
            self.left[reason] = self.left.get(reason, 0) + 1


def differs(machine, source, kernels, base, options):
    """What goes wrong with these kernels, or nothing."""
    source.write_text(program(kernels, alone=False))
    reference_kind, reference = machine.output(source, base, None)
    if reference_kind != "ok":
        return ""
    kind, with_plugin = machine.output(source, base, options)
    if kind == "same":
        return ""
    if kind != "ok":
        return f"{kind}: {with_plugin}"
    for a, b in zip(reference, with_plugin):
        if a != b:
            if machine.with_seen_masks(source, base, options) == reference:
                machine.excused += 1
                return ""
            return f"different: {a} / {b}"
    return ""


def shrink(machine, kernel, base, options, limit):
    """Deletes whatever may go while the failure stays. The kind of failure must stay too."""
    source = machine.folder / "shrink.c"
    why = differs(machine, source, [kernel], base, options)
    if not why:
        return kernel, why
    kind = why.split(":")[0]
    end = time.monotonic() + limit

    def try_it(candidate):
        nonlocal kernel, why
        if time.monotonic() > end:
            return False
        now = differs(machine, source, [candidate], base, options)
        if now.split(":")[0] != kind:
            return False
        kernel, why = candidate, now
        return True

    def bodies(body):
        yield body
        for s in body:
            if isinstance(s, Loop):
                yield from bodies(s.body)
            elif isinstance(s, If):
                yield from bodies(s.body)
                yield from bodies(s.other)

    def attempts(k):
        """Functions that make a copy of the kernel simpler."""
        for b, body in enumerate(bodies(k.body)):
            for i, s in enumerate(body):
                yield lambda c, b=b, i=i: list(bodies(c.body))[b].pop(i)
                if isinstance(s, If):
                    def lift(c, b=b, i=i):
                        body = list(bodies(c.body))[b]
                        body[i : i + 1] = body[i].body
                    yield lift
                if isinstance(s, Stmt) and isinstance(s.value, tuple) and s.kind in ("assign", "update", "scalar", "scalar_update"):
                    for part in [("num", 1)] + [p for p in s.value[1:] if isinstance(p, tuple) and p[0] not in ("cmp", "mod", "data")]:
                        if part != s.value and s.value[0] not in ("read", "index", "num"):
                            def simpler(c, b=b, i=i, part=part, whole=s.value):
                                at = list(bodies(c.body))[b][i]
                                place = [n for n, p in enumerate(whole) if p is part]
                                at.value = at.value[place[0]] if place else part
                            yield simpler
                        elif part != s.value and part[0] == "num" and s.value[0] in ("read", "index"):
                            yield lambda c, b=b, i=i: setattr(list(bodies(c.body))[b][i], "value", ("num", 1))
                    if s.kind == "update":
                        yield lambda c, b=b, i=i: setattr(list(bodies(c.body))[b][i], "kind", "assign")
                if isinstance(s, Loop):
                    if s.extra:
                        yield lambda c, b=b, i=i: setattr(list(bodies(c.body))[b][i], "extra", None)
                    if s.step != 1:
                        yield lambda c, b=b, i=i: setattr(list(bodies(c.body))[b][i], "step", 1)
                    if s.style != "up":
                        yield lambda c, b=b, i=i: setattr(list(bodies(c.body))[b][i], "style", "up")
        if len(k.layouts) > 1:
            for l in range(len(k.layouts)):
                yield lambda c, l=l: setattr(c, "layouts", [c.layouts[l]])
        if len(k.sizes) > 1:
            yield lambda c: setattr(c, "sizes", c.sizes[: len(c.sizes) // 2])
            yield lambda c: setattr(c, "sizes", c.sizes[len(c.sizes) // 2 :])
        for j in range(len(k.scalars)):
            used = k.scalars[j][0]
            yield lambda c, used=used: setattr(c, "scalars", [s for s in c.scalars if s[0] != used])

    again = True
    while again and time.monotonic() < end:
        again = False
        for change in list(attempts(kernel)):
            candidate = copy.deepcopy(kernel)
            try:
                change(candidate)
                text = program([candidate])
            except (IndexError, AttributeError, KeyError, TypeError):
                continue
            if text != program([kernel]) and try_it(candidate):
                again = True
                break
    return kernel, why


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--seed", type=int, default=1, help="of the first file")
    arguments.add_argument("--count", type=int, default=10, help="number of files")
    arguments.add_argument("--kernels", type=int, default=16, help="kernels in a file")
    arguments.add_argument("--plugin", help="libloopwright.so")
    arguments.add_argument("--clang", default=shutil.which("clang-22") or "clang")
    arguments.add_argument("--keep", type=pathlib.Path, help="folder for what fails")
    arguments.add_argument("--policy", default="auto,force,tile4,random,random", help="by commas: auto, force, kernels, small (kernels with small caches), tileN, random, random:SEED, off")
    arguments.add_argument("--each", type=int, help="how many of the policies each file is compiled with, by turns; without it, all")
    arguments.add_argument("--seconds", type=float, help="start no file after so long")
    arguments.add_argument("--shrink-seconds", type=float, default=240, help="per failure")
    arguments.add_argument("--quick", action="store_true", help="do not optimise without the plugin, but as much as with it where that differs")
    arguments.add_argument("--no-shrink", action="store_true")
    arguments.add_argument("--check-ub", action="store_true", help="run the programs with sanitizers, without the plugin")
    arguments.add_argument("--print", action="store_true", help="print the program of --seed and stop")
    chosen = arguments.parse_args()
    if not chosen.plugin and not (chosen.check_ub or chosen.print):
        arguments.error("--plugin is missing")
    start = time.monotonic()
    files = runs = comparisons = failures = touched = 0
    with tempfile.TemporaryDirectory() as folder:
        machine = Machine(chosen, pathlib.Path(folder))
        if chosen.plugin:  # what is built meanwhile must not get between
            copied = pathlib.Path(folder) / "plugin.so"
            shutil.copy(chosen.plugin, copied)
            shown, chosen.plugin = chosen.plugin, str(copied)
        for seed in range(chosen.seed, chosen.seed + chosen.count):
            if chosen.seconds and time.monotonic() - start > chosen.seconds:
                break
            rng = random.Random(seed)
            mixed = rng.random() < 0.3
            kernels = []
            while len(kernels) < chosen.kernels:
                try:
                    kernels.append(Kernel(rng, f"f{len(kernels)}", argparse.Namespace(mixed=mixed)))
                except Unfit:
                    pass
            if chosen.print:
                print(program(kernels))
                return
            base = rng.choice(MACHINES)
            base = base + (["-fno-strict-aliasing"] if mixed else [])
            source = machine.folder / "file.c"
            source.write_text(program(kernels, alone=False))
            if chosen.check_ub:
                base = ["-O1", "-fsanitize=undefined,address", "-fno-sanitize=float-divide-by-zero,vla-bound,array-bounds", "-fno-sanitize-recover=all", *(["-fno-strict-aliasing"] if mixed else [])]
            # Which products are fused under -ffp-contract=fast is a matter of how much is optimised.
            quick = chosen.quick and "-ffp-contract=fast" not in base
            kind, reference = machine.output(source, [*base, "-O0"] if quick else base, None)
            files += 1
            if kind != "ok":
                print(f"seed {seed}: the program without the plugin: {kind}: {reference}", flush=True)
                failures += 1
                continue
            if chosen.check_ub:
                continue
            plain = machine.plain
            known = set()  # kernels that have failed before
            policies = [p for p in chosen.policy.split(",") if p]
            if chosen.each:
                policies = [policies[(seed * chosen.each + k) % len(policies)] for k in range(chosen.each)]
            for number, policy in enumerate(policies):
                machine.plain = plain
                options = []
                if policy.startswith("tile"):
                    options = ["policy=force", f"tile={policy[4:]}"]
                elif policy.startswith("random"):
                    options = ["policy=random", f"seed={policy[7:] or seed * 10 + number}"]
                elif policy == "small":  # many tiles of all levels
                    options = ["policy=kernels", "l1=1k", "l2=8k", "l3=16k"]
                elif policy != "auto":
                    options = [f"policy={policy}"]
                options = [x for o in options for x in ("-mllvm", f"-loopwright-{o}")]
                kind, result = machine.output(source, base, options, kernels)
                if quick and (kind == "hang" or kind == "ok" and result != reference):
                    quick, hung = False, kind == "hang"
                    without, reference = machine.output(source, base, None)
                    if without == "hang":
                        # It is LLVM that takes so long.
                        machine.excused += 1
                        break
                    if hung:
                        kind, result = machine.output(source, base, options, kernels)
                runs += 1
                bad = set()
                if kind == "ok":
                    comparisons += len(reference)
                    for a, b in zip(reference, result):
                        if a != b:
                            bad.add(a.split()[0])
                elif kind != "same":
                    # One kernel of the file: which?
                    print(f"seed {seed} {policy}: {kind}: {str(result)[-300:]}", flush=True)
                    bad = {k.name for k in kernels}
                    if kind == "dies" and (name := re.search(r"after: (f\d+) ", str(result))):
                        at = int(name.group(1)[1:])
                        bad = {f"f{at}", f"f{at + 1}"}
                found, excused = 0, machine.excused
                for kernel in kernels:
                    if kernel.name not in bad or found == 3:
                        continue
                    shrunk, why = kernel, ""
                    if chosen.no_shrink or kernel.name in known:
                        why = differs(machine, machine.folder / "one.c", [kernel], base, options)
                    else:
                        shrunk, why = shrink(machine, kernel, base, options, chosen.shrink_seconds)
                    if not why:
                        continue
                    found += 1
                    failures += 1
                    known.add(kernel.name)
                    print(f"seed {seed} {policy} {kernel.name}: {why}", flush=True)
                    if chosen.keep:
                        chosen.keep.mkdir(parents=True, exist_ok=True)
                        name = f"seed{seed}-{policy.replace(':', '')}-{kernel.name}.c"
                        line = " ".join(["clang", "-std=gnu11", "-w", *base, "-fpass-plugin=PLUGIN", *options, name, "-lm"])
                        (chosen.keep / name).write_text(f"// {line}\n// {why.splitlines()[0]}\n" + program([shrunk]))
                if bad and not found and excused == machine.excused:
                    failures += 1
                    print(f"seed {seed} {policy}: cannot be reproduced with one kernel", flush=True)
                    if chosen.keep:
                        chosen.keep.mkdir(parents=True, exist_ok=True)
                        shutil.copy(source, chosen.keep / f"seed{seed}-{policy.replace(':', '')}.c")
            touched += sum(k.transformed for k in kernels)
            if files % 10 == 0:
                print(f"seed {seed}: {time.monotonic() - start:.0f} s, {files * chosen.kernels} kernels, {touched} of them and {machine.transformed} nests transformed, {failures} failures so far", flush=True)
        print("left alone:", *(f"\n  {n:6} {why}" for why, n in sorted(machine.left.items(), key=lambda x: -x[1])[:15]))
        print(f"{files} files of {chosen.kernels} kernels, {touched} of these transformed; {runs} compilations with the plugin, {comparisons} runs compared, "
              f"{machine.transformed} nests transformed, {failures} failures, {machine.excused} faults of LLVM, {time.monotonic() - start:.0f} s")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
