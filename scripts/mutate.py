#!/usr/bin/env python3
"""Damaged programs against the plugin: takes IR of the tests, and IR that clang makes of the C tests and of random programs,
changes it at random - constants, predicates, flags, types, operands, operations, branches, calls, metadata - and gives what
LLVM still accepts to opt with the plugin. A crash, a hang, an internal error, or output that LLVM's verifier refuses is a
finding.

    scripts/mutate.py --plugin=target/release/libloopwright.so --seconds=60 --keep=build/mutate

With --run the programs are those of fuzz.py, changed so that they stay defined as far as one can see; they are run with
and without the plugin and the results compared. What differs is checked once more with the address sanitizer, because
a changed program may leave its memory.

Every seed is one module. A finding is cut down to the functions it needs, then by llvm-reduce, and left in the folder of
--keep; its first line is the command that shows it. The exit status is 1 if there was any."""

import argparse
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import fuzz

# ---------------------------------------------------------------------------------------------------------------------
# IR as text: functions are lists of lines.


def split(module):
    """The text around functions, and the functions, as lists of lines; in turns, text first."""
    parts, lines, inside = [], [], False
    for line in module.splitlines():
        if line.startswith("define ") and not inside:
            parts.append(lines)
            lines, inside = [line], True
        elif line == "}" and inside:
            parts.append([*lines, line])
            lines, inside = [], False
        else:
            lines.append(line)
    return [*parts, lines]


def joined(parts):
    return "\n".join(line for part in parts for line in part) + "\n"


TYPE = r"(?:i\d+|ptr|float|double|half|x86_fp80|<\d+ x \w+>|\[\d+ x [^\]]*\])"
NAME = r"%(?:[\w.$-]+|\"[^\"]*\")"
BINARY = "add sub mul and or xor shl lshr ashr udiv sdiv urem srem".split()
FLOATING = "fadd fsub fmul fdiv frem".split()
PREDICATES = "eq ne ugt uge ult ule sgt sge slt sle".split()
FLAGS = "nsw nuw inbounds exact disjoint nneg samesign nusw nnan ninf nsz arcp contract afn reassoc fast".split()
NUMBERS = [0, 1, 2, 3, 4, 7, 8, 15, 16, 63, 64, 100, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40, 2**62, 2**63 - 1, 2**63]


def type_of(line):
    """The type of what the line defines, where that can be seen."""
    match = re.match(rf"\s*({NAME}) = (?:tail call |musttail call |call )?(\w+)(.*)", line)
    if not match:
        return None
    operation, rest = match[2], match[3]
    if operation in ("icmp", "fcmp"):
        return "i1"
    if operation == "getelementptr" or operation == "alloca":
        return "ptr"
    if cast := re.search(rf" to ({TYPE})(?:,|$)", rest):
        return cast[1]
    if operation == "select":
        rest = rest.split(",", 1)[-1]
    first = re.search(rf"(?<![\w%.]){TYPE}", rest)
    return first[0] if first else None


def values(function, before=None):
    """Names by type, of arguments and of what is defined in lines before `before`."""
    found = {}
    for kind, name in re.findall(rf"({TYPE})[^,%()]*({NAME})", function[0]):
        found.setdefault(kind, []).append(name)
    for line in function[1:before]:
        if kind := type_of(line):
            found.setdefault(kind, []).append(line.split()[0])
    return found


def operands(line):
    """Places of the line that name a value which is used."""
    start = line.index("=") + 1 if re.match(rf"\s*{NAME} = ", line) else 0
    return [m for m in re.finditer(NAME, line) if m.start() >= start and not line[: m.start()].rstrip().endswith("label")]


def is_code(line):
    return line.startswith("  ") and not line.lstrip().startswith(";")


# ---------------------------------------------------------------------------------------------------------------------
# Changes. Each takes random numbers and a function, and changes it in place; False when it cannot.


def some_line(rng, function, wanted):
    lines = [n for n, line in enumerate(function) if n and is_code(line) and wanted(line)]
    return rng.choice(lines) if lines else None


def replace_match(line, match, text):
    return line[: match.start()] + text + line[match.end() :]


def constant(rng, function, near=False):
    n = some_line(rng, function, lambda l: re.search(r"[ ,]-?\d+(?=[,\s\]]|$)", l.split(", !")[0]) and " align" not in l.split(", align")[0])
    if n is None:
        return False
    places = list(re.finditer(r"(?<=[ ,])-?\d+(?=[,\s\]]|$)", function[n].split(", align")[0].split(", !")[0]))
    if not places:
        return False
    place = rng.choice(places)
    old = int(place[0])
    new = old + rng.choice([-2, -1, 1, 2]) if near or rng.random() < 0.4 else rng.choice([-1, 1]) * rng.choice(NUMBERS)
    function[n] = replace_match(function[n], place, str(new))
    return True


def small_constant(rng, function):
    return constant(rng, function, near=True)


def predicate(rng, function):
    n = some_line(rng, function, lambda l: " icmp " in l)
    if n is None:
        return False
    function[n] = re.sub(r"icmp( samesign)? \w+", f"icmp {rng.choice(PREDICATES)}", function[n])
    return True


def drop_flag(rng, function):
    flag = rf" (?:{'|'.join(FLAGS)})(?= )"
    n = some_line(rng, function, lambda l: re.search(flag, l))
    if n is None:
        return False
    function[n] = re.sub(flag, "", function[n], count=rng.choice([0, 1]))
    return True


def drop_all_flags(_, function):
    for n, line in enumerate(function[1:], 1):
        line = re.sub(r", !(?:range|tbaa|noundef|nonnull|align|alias\.scope|noalias|tbaa\.struct) ![\w]+", "", line)
        function[n] = re.sub(rf" (?:{'|'.join(FLAGS[:8])})(?= )", "", line) if is_code(line) else line
    return True


def add_flag(rng, function):
    n = some_line(rng, function, lambda l: re.search(r" (?:add|sub|mul|shl) i\d", l))
    if n is None:
        return False
    function[n] = re.sub(r" (add|sub|mul|shl) i", rf" \1 {rng.choice(['nsw', 'nuw', 'nuw nsw'])} i", function[n])
    return True


def swap_operands(rng, function):
    n = some_line(rng, function, lambda l: len(operands(l)) >= 2 and not re.search(r"\b(?:phi|br|switch|call|store)\b", l))
    if n is None:
        return False
    a, b = rng.sample(operands(function[n]), 2)
    a, b = sorted((a, b), key=lambda m: m.start())
    function[n] = replace_match(replace_match(function[n], b, a[0]), a, b[0])
    return True


def other_operation(rng, function):
    every = BINARY + FLOATING
    n = some_line(rng, function, lambda l: re.search(rf" = (?:{'|'.join(every)}) ", l))
    if n is None:
        return False
    word = re.search(rf"(?<= = )(?:{'|'.join(every)})(?= )", function[n])
    line = replace_match(function[n], word, rng.choice(BINARY if word[0] in BINARY else FLOATING))
    function[n] = re.sub(rf" (?:{'|'.join(FLAGS[:5])})(?= )", "", line)
    return True


def other_operand(rng, function):
    n = some_line(rng, function, lambda l: operands(l) and not re.search(r"\bphi\b", l))
    if n is None:
        return False
    types = {name: kind for kind, names in values(function).items() for name in names}
    place = rng.choice(operands(function[n]))
    kind = types.get(place[0])
    others = [v for v in values(function, n).get(kind, []) if v != place[0]]
    if re.fullmatch(r"i\d+", kind or "") and (not others or rng.random() < 0.2):
        others = [str(rng.choice(NUMBERS[:12]))] if kind != "i1" else ["true", "false"]
    if not others:
        return False
    function[n] = replace_match(function[n], place, rng.choice(others))
    return True


def delete(rng, function):
    n = some_line(rng, function, lambda l: not re.match(r"\s*(?:br|ret|switch|unreachable)\b", l) and not re.search(r"\[$|^\s*(?:\]|i\d+ -?\d+, label)", l))
    if n is None:
        return False
    kind = type_of(function[n])
    if kind:
        name = function[n].split()[0]
        others = [v for v in values(function, n).get(kind, []) if v != name]
        plain = "null" if kind == "ptr" else "zeroinitializer" if kind[0] in "<[" else "0.0" if kind in ("float", "double", "half") else "0"
        other = rng.choice(others + [plain] + (["undef", "poison"] if rng.random() < 0.1 else []))
        for k, line in enumerate(function):
            if k != n:
                function[k] = re.sub(re.escape(name) + r"(?![\w.$-])", lambda _: other, line)
    elif re.match(rf"\s*{NAME} = ", function[n]):
        return False
    del function[n]
    return True


def duplicate(rng, function):
    n = some_line(rng, function, lambda l: re.search(r"\b(?:store|load|call|add|fadd|mul|getelementptr)\b", l))
    if n is None:
        return False
    line = function[n]
    if re.match(rf"\s*{NAME} = ", line):
        line = re.sub(rf"^\s*{NAME}", f"  %again{rng.randrange(10**6)}", line)
    function.insert(n + 1, line)
    return True


def move(rng, function):
    """Two neighbours change places."""
    n = some_line(rng, function, lambda l: " phi " not in l and not re.match(r"\s*(?:br|ret|switch|unreachable)\b", l))
    if n is None or n + 1 >= len(function) or not is_code(function[n + 1]) or re.match(r"\s*(?:br|ret|switch|unreachable)\b", function[n + 1]):
        return False
    function[n], function[n + 1] = function[n + 1], function[n]
    return True


def branch(rng, function):
    n = some_line(rng, function, lambda l: re.match(r"\s*br i1 ", l))
    if n is None:
        return False
    match = re.match(rf"(\s*br i1 )([^,]+), label ({NAME}), label ({NAME})(.*)", function[n])
    if not match:
        return False
    condition, a, b = match[2], match[3], match[4]
    if rng.random() < 0.3:
        condition = rng.choice(["true", "false", "undef"])
    else:
        a, b = b, a
    function[n] = f"{match[1]}{condition}, label {a}, label {b}{match[5]}"
    return True


def retarget(rng, function):
    """A branch goes to another block, which loses or gains an edge in its phis by luck only."""
    labels = [m[1] for line in function if (m := re.match(r"([\w.$-]+):", line))]
    n = some_line(rng, function, lambda l: re.match(r"\s*br ", l))
    if n is None or len(labels) < 2:
        return False
    place = rng.choice(list(re.finditer(rf"(?<=label ){NAME}", function[n])))
    function[n] = replace_match(function[n], place, "%" + rng.choice(labels))
    return True


INSERTED = [
    "  call void @lw_unknown()",
    "  call void @lw_unknown() memory(none) nounwind willreturn",
    "  call void @lw_unknown() memory(read)",
    "  fence seq_cst",
    '  call void asm sideeffect "", "~{memory}"()',
    "  call void @llvm.assume(i1 true)",
    "  call void @llvm.lifetime.start.p0(ptr poison)",
    "  call void @llvm.sideeffect()",
    "  call void @llvm.experimental.noalias.scope.decl(metadata !{})",
]
DECLARED = {"lw_unknown": "declare void @lw_unknown()", "llvm.assume": "declare void @llvm.assume(i1)", "llvm.sideeffect": "declare void @llvm.sideeffect()"}


def insert(rng, function):
    n = some_line(rng, function, lambda l: " phi " not in l and not re.search(r"^\s*(?:i\d+ -?\d+, label|\])", l))
    if n is None:
        return False
    function.insert(n, rng.choice(INSERTED[:6]))
    return True


def harden(rng, function):
    n = some_line(rng, function, lambda l: re.search(r"(?:^  |= )(?:load|store) (?!volatile|atomic)", l) and ", align" in l)
    if n is None:
        return False
    line = function[n]
    if rng.random() < 0.5 or "<" in line:
        function[n] = re.sub(r"\b(load|store) ", r"\1 volatile ", line, count=1)
    else:
        order = rng.choice(["unordered", "monotonic", "seq_cst"])
        line = re.sub(r"\b(load|store) ", r"\1 atomic ", line, count=1)
        function[n] = re.sub(r", align", f" {order}, align", line, count=1)
    return True


def drop_metadata(rng, function):
    n = some_line(rng, function, lambda l: ", !" in l)
    if n is None:
        return False
    for k in range(1, len(function)) if rng.random() < 0.5 else [n]:
        function[k] = function[k].split(", !")[0] if is_code(function[k]) else function[k]
    return True


def other_type(rng, function):
    old, new = rng.choice([("i64", "i32"), ("i32", "i64"), ("i32", "i16"), ("i64", "i16"), ("i64", "i128"), ("i64", "i40"), ("double", "float"), ("float", "double"), ("double", "half"), ("double", "x86_fp80"), ("i32", "i8"), ("i64", "i24")])
    if not any(old in line for line in function):
        return False
    for n, line in enumerate(function):
        if " call " in line or n == 0 and rng.random() < 0.2:
            continue
        line = re.sub(rf"\b{old}\b", new, line)
        function[n] = re.sub(rf" = (?:zext|sext|trunc)[a-z ]* ({new}) (\S+) to {new}", r" = add \1 \2, 0", line)
    return True


def attributes(rng, function):
    line = function[0]
    word = rng.choice([" noalias", " noundef", " nonnull", " readonly", " writeonly"])
    if word in line and rng.random() < 0.7:
        function[0] = line.replace(word, "")
    else:
        function[0] = re.sub(r"\bptr (?=[^,]*%)", f"ptr{word} ", line, count=1)
    return True


def alignment(rng, function):
    n = some_line(rng, function, lambda l: re.search(r", align \d+", l))
    if n is None:
        return False
    function[n] = re.sub(r", align \d+", f", align {rng.choice([1, 2, 4, 8, 16, 64, 4096])}", function[n])
    return True


ALL = [constant, constant, predicate, drop_flag, drop_all_flags, add_flag, swap_operands, other_operation, other_operand, other_operand, delete, duplicate, move, branch, retarget, insert, harden, drop_metadata, other_type, attributes, alignment]
DEFINED = [small_constant, predicate, swap_operands, other_operand, other_operand, delete, duplicate, move, branch, insert, drop_metadata]


def changed(rng, function, kinds, most):
    """A changed copy of the function."""
    out = list(function)
    for _ in range(rng.randint(1, most)):
        for _ in range(5):
            if rng.choice(kinds)(rng, out):
                break
    return out


# ---------------------------------------------------------------------------------------------------------------------
# Running.

LIMIT, RUN_LIMIT = 20, 2  # seconds of processor time


def run(command, limit=LIMIT):
    def prepare():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", preexec_fn=prepare)


class Tools:
    def __init__(self, chosen, folder):
        self.chosen, self.folder = chosen, folder
        self.opt = shutil.which("opt-22") or "opt"
        self.clang = shutil.which("clang-22") or "clang"
        self.reduce = shutil.which("llvm-reduce-22")
        self.transformed = 0

    def before_the_vectoriser(self, flags, file):
        """IR much like what the plugin sees; '' when the file does not compile."""
        out = self.folder / "source.ll"
        ready = ["-w", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-fno-discard-value-names", "-S", "-emit-llvm"]
        done = run([self.clang, *ready, *flags, str(file), "-o", str(out)])
        # The flags that hold the vectoriser back are noted at the loops.
        return re.sub(r", !llvm\.loop !\d+", "", out.read_text()) if done.returncode == 0 else ""

    def command(self, passes, options, file):
        plugin = [f"-load-pass-plugin={self.chosen.plugin}", *(f"-loopwright-{o}" for o in options)]
        return [self.opt, *plugin, f"-passes={passes}", "-pass-remarks=loopwright", "-pass-remarks-missed=loopwright", "-disable-output", str(file)]

    def accepts(self, module):
        """'' when LLVM takes the module, otherwise its complaint."""
        file = self.folder / "module.ll"
        file.write_text(module)
        done = run([self.opt, "-passes=verify", "-disable-output", str(file)])
        return "" if done.returncode == 0 else done.stdout or "?"

    def fault(self, module, passes, options):
        """What is wrong with the module under the plugin, or ''."""
        file = self.folder / "module.ll"
        file.write_text(module)
        done = run(self.command(passes, options, file))
        self.transformed += len(re.findall(r"predicted", done.stdout))
        if "internal error" in done.stdout:
            return next(l for l in done.stdout.splitlines() if "internal error" in l)
        if done.returncode == 0:
            return ""
        # Without the plugin, or with nothing of it but its place?
        bare = run([self.opt, f"-passes={passes if 'default' in passes else 'loop-simplify,lcssa'}", "-disable-output", str(file)])
        if bare.returncode != 0:
            return ""
        lines = [l for l in done.stdout.splitlines() if re.search(r"error|Assertion|panicked|PLEASE|signal|LLVM ERROR|broken", l)]
        return f"exit status {done.returncode}: {lines[0] if lines else done.stdout[-200:]}"


def acceptable(tools, around, functions, originals):
    """The module with as many of the changed functions as LLVM accepts; the others as they were."""
    functions = list(functions)

    def text(chosen):
        parts = []
        for k, lines in enumerate(around):
            parts.append(lines)
            if k < len(chosen):
                parts.append(chosen[k])
        module = joined(parts)
        return module + "".join(d + "\n" for name, d in DECLARED.items() if f"@{name}(" in module and f"declare void @{name}(" not in module)

    for _ in range(3 * len(functions) + 1):
        complaint = tools.accepts(text(functions))
        if not complaint:
            return functions, text(functions)
        where = re.search(r"module\.ll:(\d+):", complaint)
        if where:
            line = int(where[1])
            n = 0
            for k, lines in enumerate(around):
                n += len(lines)
                if k < len(functions):
                    n += len(functions[k])
                    if line <= n:
                        functions[k] = originals[k]
                        break
            else:
                return None, ""
        else:
            break
    # The verifier names no line: each by itself.
    for k, function in enumerate(functions):
        if function is not originals[k] and tools.accepts(text([f if j == k else o for j, (f, o) in enumerate(zip(functions, originals))])):
            functions[k] = originals[k]
    return (functions, text(functions)) if not tools.accepts(text(functions)) else (None, "")


def alone(module, name):
    """The module with the bodies of all other functions gone."""
    parts = split(module)
    out = []
    for k, part in enumerate(parts):
        if k % 2 == 0 or f"@{name}(" in part[0]:
            out.append(part)
        else:
            head = re.sub(r" (?:personality|!dbg|comdat|prologue|section).*", "", part[0].rstrip("{ ")).replace("define", "declare", 1)
            head = re.sub(r"\b(?:internal|private|linkonce_odr|weak_odr|dso_local|local_unnamed_addr|unnamed_addr|available_externally)\b ?", "", head)
            out.append([re.sub(r" #\d+.*", "", head)])
    return joined(out)


def keep(tools, seed, module, passes, options, why):
    """Cuts a finding down and saves it."""
    for name in re.findall(r"^define [^@]*@([\w.$]+)\(", module, re.M):
        smaller = alone(module, name)
        if not tools.accepts(smaller) and tools.fault(smaller, passes, options):
            module = smaller
            break
    if tools.reduce and not tools.chosen.no_shrink:
        file, test, out = tools.folder / "reduce.ll", tools.folder / "interesting.sh", tools.folder / "reduced.ll"
        file.write_text(module)
        command = " ".join(f"'{c}'" for c in tools.command(passes, options, '"$1"')).replace("'\"$1\"'", '"$1"')
        test.write_text(f"#!/bin/bash\nout=$(ulimit -t {LIMIT}; {command} 2>&1)\nstatus=$?\n[ $status -gt 1 ] || grep -q 'internal error' <<<\"$out\"\n")
        test.chmod(0o755)
        try:
            subprocess.run([tools.reduce, f"--test={test}", "-o", str(out), str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
            if out.exists():
                module = out.read_text()
        except subprocess.TimeoutExpired:
            pass
    if tools.chosen.keep:
        tools.chosen.keep.mkdir(parents=True, exist_ok=True)
        name = f"seed{seed}.ll"
        shown = " ".join(tools.command(f"'{passes}'", options, name)).replace(tools.chosen.plugin, "PLUGIN")
        (tools.chosen.keep / name).write_text(f"; {shown}\n; {why}\n{module}")


# ---------------------------------------------------------------------------------------------------------------------
# What is changed.


def sources(tools):
    """Modules as names and texts: the tests on IR, and what clang makes of the tests in C just before it would vectorise."""
    tests = pathlib.Path(__file__).resolve().parent.parent / "test-ir"
    found = ([], [])
    for file in sorted(tests.rglob("*.ll")):
        text = file.read_text(errors="replace")
        if "Inputs" not in file.parts and len(text) < 60_000 and not tools.accepts(text):
            found[0].append((file.name, text))
    for file in sorted([*tests.glob("shapes/*.c"), *tests.glob("issue/*.c"), *tests.glob("run/*.c")]):
        for level in ("-O1", "-O3"):
            includes = [f"-I{tests / folder / 'Inputs'}" for folder in ("run", "shapes")]
            text = tools.before_the_vectoriser([level, *includes], file)
            if 0 < len(text) < 250_000:
                found[1].append((f"{file.name} {level}", text))
    return found


def damage(tools, found, seed):
    """One module; returns the number of functions changed and what was wrong."""
    rng = random.Random(seed)
    _, module = rng.choice(found[rng.random() < 0.6])
    parts = split(module)
    originals = parts[1::2]
    if not originals:
        return 0, ""
    chosen = rng.sample(range(len(originals)), min(len(originals), 8))
    functions, text = originals, module
    for _ in range(rng.choice([1, 2, 3])):  # what LLVM refuses is taken back, round by round
        wanted = [changed(rng, f, ALL, 2) if k in chosen else f for k, f in enumerate(functions)]
        accepted, joint = acceptable(tools, parts[0::2], wanted, functions)
        if accepted is not None:
            functions, text = accepted, joint
    count = sum(f is not o for f, o in zip(functions, originals))
    policy = rng.choice(["force", "force", "kernels", "auto", "random", "random"])
    options = [f"policy={policy}"] + ([f"seed={rng.randrange(1000)}"] if policy == "random" else []) + (["tile=4"] if rng.random() < 0.2 else [])
    passes = rng.choice(["loopwright", "loopwright", "loopwright", "default<O3>", "loopwright,loopwright", "print<loopwright-ast>"])
    why = tools.fault(text, passes, options)
    if why:
        keep(tools, seed, text, passes, options, why)
    return count, why and f"{passes} {' '.join(options)}: {why}"


def damage_and_run(tools, machine, seed):
    """One random program of fuzz.py, changed and run; returns the number of functions changed, the runs compared and what was wrong."""
    rng = random.Random(seed)
    kernels = []
    while len(kernels) < 16:
        try:
            kernels.append(fuzz.Kernel(rng, f"f{len(kernels)}", argparse.Namespace(mixed=False)))
        except fuzz.Unfit:
            pass
    folder = tools.folder
    source = folder / "kernels.c"
    source.write_text(fuzz.program(kernels, alone=False))
    parts = split(tools.before_the_vectoriser(["-std=gnu11", "-O2", "-fno-strict-aliasing"], source))
    originals = parts[1::2]

    def is_kernel(function):
        # Out of its range, a conversion to an integer is anything.
        return re.search(r"@f\d+\(", function[0]) and not any(re.search(r"\bfpto[su]i\b|\bpoison\b|\bundef\b", l) for l in function)

    wanted = []
    for f in originals:
        if is_kernel(f):
            f = list(f)
            drop_all_flags(rng, f)
            f = changed(rng, f, DEFINED, rng.choice([1, 1, 2, 3]))
            f[0] = f[0].replace(" noalias", "")
        wanted.append(f)
    functions, text = acceptable(tools, parts[0::2], wanted, originals)
    if functions is None:
        return 0, 0, ""
    text = text.replace("declare void @lw_unknown()", "define void @lw_unknown() noinline optnone {\n  ret void\n}")
    options = fuzz_options(rng)

    def results(module, flags):
        """Exit status and output, by kernel."""
        file, target = folder / "changed.ll", folder / "changed"
        file.write_text(module)
        done = run([tools.clang, "-w", *flags, str(file), machine.link_with(flags), "-lm", "-o", str(target)])
        if done.returncode == 0:
            done = run([str(target)], RUN_LIMIT)
        lines = {}
        for line in done.stdout.splitlines():
            lines.setdefault(line.split(" ")[0], []).append(line)
        return done.returncode, {name: "\n".join(found) for name, found in lines.items() if re.fullmatch(r"f\d+", name)}

    def sanitized(module):
        return re.sub(r"^(define [^{]*@f\d+\(.*\) local_unnamed_addr)", r"\1 sanitize_address", module, flags=re.M)

    # A changed kernel may run for ever or leave its memory: those that do are taken back, by what the address sanitizer says,
    # and those that are no longer defined, as far as it shows in LLVM alone.
    for _ in range(10):
        text = text.replace("declare void @lw_unknown()", "define void @lw_unknown() noinline optnone {\n  ret void\n}")
        status, expected = results(sanitized(text), ["-O1", "-fsanitize=address"])
        bad = {f"f{max([int(n[1:]) for n in expected], default=-1) + k}" for k in (0, 1)} if status else set()
        if not bad:
            status, found = results(text, ["-O2"])
            bad = {n for n in expected if found.get(n) != expected[n]}
        if not bad:
            break
        functions = [o if (m := re.search(r"@(f\d+)\(", o[0])) and m[1] in bad else f for f, o in zip(functions, originals)]
        functions, text = acceptable(tools, parts[0::2], functions, originals)
    else:
        return 0, 0, ""
    names = [re.search(r"@(f\d+)\(", f[0])[1] for f, o in zip(functions, originals) if f is not o and is_kernel(o)]
    plugin = [f"-fpass-plugin={tools.chosen.plugin}", *(x for o in options for x in ("-mllvm", f"-loopwright-{o}"))]
    status, found = results(text, ["-O2", *plugin])
    if status == 0 and found == expected:
        return len(names), sum(expected[n].count("\n") for n in names if n in expected), ""
    if status == -signal.SIGXCPU or status == -signal.SIGKILL:  # a random plan for huge bounds may well be slow
        return len(names), 0, ""
    bad = sorted(n for n in expected if found.get(n) != expected[n])
    if tools.chosen.keep:
        tools.chosen.keep.mkdir(parents=True, exist_ok=True)
        line = " ".join(["clang", "-w", "-O2", *plugin, f"run{seed}.ll"]).replace(tools.chosen.plugin, "PLUGIN")
        (tools.chosen.keep / f"run{seed}.ll").write_text(f"; {line}\n; differs in {' '.join(bad)}\n{text}")
    return len(names), 0, f"{' '.join(options)}: status {status}, differs in {' '.join(bad)}"


def fuzz_options(rng):
    policy = rng.choice(["force", "force", "kernels", "random", "random"])
    return [f"policy={policy}"] + ([f"seed={rng.randrange(1000)}"] if policy == "random" else []) + (["tile=4"] if rng.random() < 0.2 else [])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--plugin", required=True, help="libloopwright.so")
    arguments.add_argument("--seed", type=int, default=1, help="of the first module")
    arguments.add_argument("--count", type=int, default=1000, help="number of modules")
    arguments.add_argument("--seconds", type=float, help="start no module after so long")
    arguments.add_argument("--keep", type=pathlib.Path, help="folder for findings")
    arguments.add_argument("--run", action="store_true", help="change random programs, run them and compare the results")
    arguments.add_argument("--no-shrink", action="store_true")
    chosen = arguments.parse_args()
    start = time.monotonic()
    modules = functions = compared = findings = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        copied = folder / "plugin.so"  # what is built meanwhile must not get between
        shutil.copy(chosen.plugin, copied)
        chosen.plugin = str(copied)
        tools = Tools(chosen, folder)
        machine = fuzz.Machine(argparse.Namespace(clang=tools.clang, plugin=chosen.plugin), folder)
        found = [] if chosen.run else sources(tools)
        for seed in range(chosen.seed, chosen.seed + chosen.count):
            if chosen.seconds and time.monotonic() - start > chosen.seconds:
                break
            if chosen.run:
                count, runs, why = damage_and_run(tools, machine, seed)
                compared += runs
            else:
                count, why = damage(tools, found, seed)
            modules += 1
            functions += count
            if why:
                findings += 1
                print(f"seed {seed}: {why}", flush=True)
        nests = "" if chosen.run else f" {tools.transformed} nests transformed,"
        print(f"{modules} modules, {functions} changed functions,{nests} {compared} runs compared, {findings} findings, {time.monotonic() - start:.0f} s")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
