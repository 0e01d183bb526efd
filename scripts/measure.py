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


class TooLong(Failure):
    """It had not come to an end in time."""


def plugin_flags():
    return [f"-fpass-plugin={os.environ['LOOPWRIGHT_PLUGIN']}"]


def run(command, environment=None, limit=LIMIT):
    try:
        everything = {**os.environ, **(environment or {})}
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, env=everything)
    except subprocess.TimeoutExpired:
        raise TooLong(f"still running after {limit:.0f} s: {' '.join(command)}") from None
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

    def run(self, *arguments, limit=LIMIT):
        output = run([str(self.path), *map(str, arguments)], self.environment, limit).stdout
        result = re.fullmatch(r"seconds (\S+) hash (\w+)\n", output)
        if not result:
            raise Failure(f"{self.path.name} printed: {output}")
        self.seconds.append(float(result[1]))
        self.hashes.add(result[2])

    def median(self):
        return statistics.median(self.seconds)


def build(source, way, compiler, libraries=(), linker=("cc",)):
    """Compiles to an object first, so that the linker does not count as compile time."""
    path = program_path(source, way)
    start = time.perf_counter()
    run([*compiler, "-c", str(source), "-o", f"{path}.o"])
    seconds = time.perf_counter() - start
    run([*linker, f"{path}.o", *libraries, "-lm", "-o", str(path)])
    return Program(path, seconds)


def program_path(source, way):
    folder = BUILD / "programs"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / re.sub(r"\W+", "_", f"{source.stem} {way}")


def kernel_of(source):
    """Name, first and last line of the function under test."""
    name, first = None, 0
    for number, line in enumerate(source.read_text().splitlines(), start=1):
        if start := re.match(r"KERNEL (\w+)", line):
            name, first = start[1], number
        elif line.startswith("}") and name:
            return name, first, number
    raise Failure(f"{source.name} has no KERNEL")


@dataclasses.dataclass
class Compiled:
    """What a compiler makes of a kernel: its assembly, that of the whole file, and the remarks on it by their kind, like Rpass: pairs of a place and a text."""

    assembly: str
    file: str
    remarks: dict
    seconds: float


def compile_kernel(source, compiler, kinds=()):
    """Assembly without the numbers of labels, which code elsewhere in the file may change."""
    name, first, last = kernel_of(source)
    start = time.perf_counter()
    done = run([*compiler, *(f"-{kind}=loopwright" for kind in kinds), "-S", str(source), "-o", "-"])
    seconds = time.perf_counter() - start
    body = re.search(rf"^{name}:.*?^\.Lfunc_end", done.stdout, re.MULTILINE | re.DOTALL)
    assembly = re.sub(r"(\.L[A-Z]+)\d+_", r"\1_", body[0] if body else done.stdout)
    remarks = {}
    for kind in kinds:
        found = re.findall(rf"{re.escape(source.name)}:((\d+):\d+): remark: (.*?) \[-{kind}=loopwright\]", done.stderr)
        remarks[kind] = list(dict.fromkeys((place, text) for place, line, text in found if first <= int(line) <= last))
    return Compiled(assembly, done.stdout, remarks, seconds)


def assemble(source, way, compiled):
    """The program of what was compiled."""
    path = program_path(source, way)
    assembly = path.with_name(f"{path.name}.s")
    assembly.write_text(compiled.file)
    run([CLANG[0], str(assembly), "-lm", "-o", str(path)])
    return Program(path, compiled.seconds)


def what_was_done(source):
    """Whether the kernel's machine code has changed, and one line about it."""
    ours = compile_kernel(source, [*CLANG, *plugin_flags()], ("Rpass", "Rpass-missed"))
    texts = {kind: "; ".join(dict.fromkeys(text for _, text in remarks)) for kind, remarks in ours.remarks.items()}
    if compile_kernel(source, CLANG).assembly == ours.assembly:
        return False, "unchanged: " + (texts["Rpass-missed"] or "no remark")
    return True, texts["Rpass"] or "changed, without a remark"


def use_one_core():
    """Pins this process and its children, so that the runs share one cache and no migration disturbs them."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def columns():
    return shutil.get_terminal_size((160, 24)).columns if sys.stdout.isatty() else 10_000
