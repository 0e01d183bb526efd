"""What demo.py and bench.py share: building an example in several ways, running it, and saying what the plugin did."""

import dataclasses
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
CLANG = ["clang-22", "-O3", "-march=native"]
LIMIT = 600  # seconds that one compilation or one run may take before it counts as hanging


class Failure(Exception):
    """A compilation or a run that did not succeed."""


def plugin_flags():
    return [f"-fpass-plugin={os.environ['LOOPWRIGHT_PLUGIN']}"]


def run(command, environment=None):
    try:
        everything = {**os.environ, **(environment or {})}
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, env=everything)
    except subprocess.TimeoutExpired:
        raise Failure(f"still running after {LIMIT} s: {' '.join(command)}") from None
    if done.returncode != 0:
        raise Failure(f"exit status {done.returncode}: {' '.join(command)}\n{done.stderr.strip()}")
    return done


@dataclasses.dataclass
class Program:
    """One example compiled in one way, with what its runs have given so far."""

    path: pathlib.Path
    compile_seconds: float
    environment: dict = dataclasses.field(default_factory=dict)
    seconds: list = dataclasses.field(default_factory=list)
    hashes: set = dataclasses.field(default_factory=set)

    def run(self, *arguments):
        output = run([str(self.path), *map(str, arguments)], self.environment).stdout
        result = re.fullmatch(r"seconds (\S+) hash (\w+)\n", output)
        if not result:
            raise Failure(f"{self.path.name} printed: {output}")
        self.seconds.append(float(result[1]))
        self.hashes.add(result[2])

    def median(self):
        return statistics.median(self.seconds)


def build(source, way, compiler, libraries=()):
    """Compiles to an object first, so that the linker does not count as compile time."""
    folder = BUILD / "programs"
    folder.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"\W+", "_", f"{source.stem} {way}")
    start = time.perf_counter()
    run([*compiler, "-c", str(source), "-o", str(folder / f"{name}.o")])
    seconds = time.perf_counter() - start
    run(["cc", str(folder / f"{name}.o"), *libraries, "-lm", "-o", str(folder / name)])
    return Program(folder / name, seconds)


def kernel_of(source):
    """Name, first and last line of the function under test."""
    name, first = None, 0
    for number, line in enumerate(source.read_text().splitlines(), start=1):
        if start := re.match(r"KERNEL (\w+)", line):
            name, first = start[1], number
        elif line.startswith("}") and name:
            return name, first, number
    raise Failure(f"{source.name} has no KERNEL")


def assembly_of_kernel(source, compiler):
    """Without the numbers of labels, which code elsewhere in the file may change."""
    name, _, _ = kernel_of(source)
    text = run([*compiler, "-S", str(source), "-o", "-"]).stdout
    body = re.search(rf"^{name}:.*?^\.Lfunc_end", text, re.MULTILINE | re.DOTALL)
    return re.sub(r"(\.L[A-Z]+)\d+_", r"\1_", body[0] if body else text)


def remarks(source, compiler, kind):
    """The texts of the kernel's remarks: kind is Rpass or Rpass-missed."""
    _, first, last = kernel_of(source)
    done = run([*compiler, f"-{kind}=loopwright", "-c", str(source), "-o", "/dev/null"])
    found = re.findall(rf"{re.escape(source.name)}:(\d+):\d+: remark: (.*?) \[-{kind}=loopwright\]", done.stderr)
    texts = [text for line, text in found if first <= int(line) <= last]
    return list(dict.fromkeys(texts))


def what_was_done(source):
    """One line about the kernel, and whether its machine code has changed."""
    compiler = [*CLANG, *plugin_flags()]
    changed = assembly_of_kernel(source, CLANG) != assembly_of_kernel(source, compiler)
    done, missed = remarks(source, compiler, "Rpass"), remarks(source, compiler, "Rpass-missed")
    if not changed:
        return False, "unchanged: " + ("; ".join(missed) or "no remark")
    return True, "; ".join(done) or "changed, without a remark"


def use_one_core():
    """Pins this process and its children, so that the runs share one cache and no migration disturbs them."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def columns():
    return shutil.get_terminal_size((160, 24)).columns if sys.stdout.isatty() else 10_000
