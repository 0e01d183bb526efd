#!/usr/bin/env python3
"""Which shapes of real code are transformed? Compiles every program in test-ir/shapes plainly and with the plugin, forced to
transform what it may, under several policies; runs all; compares everything that they write, bit for bit.

    scripts/shapes.py --plugin=target/release/libloopwright.so            prints the table
    scripts/shapes.py --plugin=target/release/libloopwright.so --write    and writes it to test-ir/shapes/table.md
    scripts/shapes.py --plugin=target/release/libloopwright.so --check    and fails if that is not what is written there

A program's first line is `// NUMBER. What it is.`; `// FLAGS: ...` on a line of its own adds flags. Numbers 1 to 32 are the
shapes that Polly 22 was tried with (its default options); others are ours. The kernel is what is called `kernel` or holds
that in its name. The exit status is 1 if any result differs."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHAPES = ROOT / "test-ir" / "shapes"
TABLE = SHAPES / "table.md"
POLLY_TRANSFORMS = set(range(1, 13))
NUMBERED = 32

POLICIES = {
    "force": ["policy=force"],
    "tile": ["policy=force", "tile=4"],
    "kernels": ["policy=kernels"],
    "random1": ["policy=random", "seed=1"],
    "random2": ["policy=random", "seed=2"],
    "auto": [],
}

# Words of a remark, to what the table says.
REASONS = [
    (r"the loop's form is not supported: (.*)", r"\1"),
    (r"(.*)", r"\1"),
]


class Shape:
    def __init__(self, path):
        self.path = path
        lines = path.read_text().splitlines()
        first = re.match(r"(?://|!) (\d+)\. (.*)", lines[0])
        if not first:
            sys.exit(f"{path}: the first line is not '// NUMBER. What it is.'")
        self.number, self.title = int(first[1]), first[2].rstrip(".")
        self.flags = [w for line in lines for m in [re.match(r"(?://|!) FLAGS: (.*)", line)] if m for w in m[1].split()]


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, **more)


def build(shape, tools, out, plugin=None, options=()):
    flags = ["-O3", "-w", f"-I{SHAPES / 'Inputs'}"]
    if shape.path.suffix == ".rs":
        # One unit of code generation, no incremental data: what the plugin sees is then always the same.
        command = ["rustc", "-Copt-level=3", "-Ccodegen-units=1", str(shape.path), "-o", str(out)]
        environment = {"RUSTC_BOOTSTRAP": "1", "LOOPWRIGHT_OPTIONS": ",".join(options)}
        if plugin:
            command += [f"-Zllvm-plugins={plugin}", "-Cremark=loopwright", "-Cdebuginfo=1"]
    else:
        compiler = {".c": "clang", ".cpp": "clang++", ".f90": "flang"}[shape.path.suffix]
        if shape.path.suffix == ".f90":
            flags = ["-O3"]
        command = [tools[compiler], *flags, str(shape.path), "-o", str(out), *shape.flags]
        environment = {"LOOPWRIGHT_OPTIONS": ",".join(options)}
        if plugin:
            command += [f"-fpass-plugin={plugin}"]
            if shape.path.suffix != ".f90":
                command += ["-fsave-optimization-record", f"-foptimization-record-file={out}.yaml"]
            else:
                command += ["-Rpass=loopwright", "-Rpass-missed=loopwright"]
    import os

    done = run(command, env={**os.environ, **environment})
    if done.returncode:
        return None, done.stderr.decode(errors="replace")
    return out, done.stderr.decode(errors="replace")


def remarks(yaml):
    """Of our pass in the kernel: (kind, text)."""
    out = []
    for part in yaml.split("--- !")[1:]:
        if "Pass:            loopwright" not in part:
            continue
        function = re.search(r"Function:\s+(.*)", part)
        if not function or "kernel" not in function[1]:
            continue
        kind = part.split("\n")[0]
        line = re.search(r"Line: (\d+)", part)
        text = "".join(re.findall(r"- String:\s+(.*)", part)).strip("'\" ")
        out.append((kind, int(line[1]) if line else 0, text))
    return out


def verdict(found):
    """(transformed, why not)"""
    done = [r for r in found if r[0] == "Passed"]
    missed = []
    for kind, _, text in found:
        if kind == "Missed":
            for pattern, to in REASONS:
                if re.search(pattern, text):
                    text = re.sub(pattern, to, text)
                    break
            if text not in missed:
                missed.append(text)
    if done and not missed:
        return "yes", ""
    return ("partly" if done else "no"), "; ".join(missed)


def measure(shape, tools, plugin, folder):
    plain, complaint = build(shape, tools, folder / f"{shape.path.stem}.plain")
    if plain is None:
        return "no compiler", complaint.strip().splitlines()[-1] if complaint.strip() else "", "-"
    expected = run([str(plain)])
    if expected.returncode:
        return "fails", f"plain program ends with {expected.returncode}", "-"
    transformed, why, same = "no", "", "yes"
    for name, options in POLICIES.items():
        out, complaint = build(shape, tools, folder / f"{shape.path.stem}.{name}", plugin, options)
        if out is None:
            return "fails", complaint.strip().splitlines()[-1], "NO"
        if name == "force":
            record = pathlib.Path(f"{out}.yaml")
            if record.exists():
                transformed, why = verdict(remarks(record.read_text()))
            else:
                transformed, why = verdict(from_text(complaint))
        try:
            got = run([str(out)])
            if (got.stdout, got.stderr, got.returncode) != (expected.stdout, expected.stderr, 0):
                same = f"NO ({name})"
        except subprocess.TimeoutExpired:
            same = f"NO ({name}, hangs)"
    return transformed, why, same


def from_text(text):
    out = []
    for line in text.splitlines():
        m = re.search(r"remark: (.*) \[-Rpass(-missed)?=loopwright\]", line)
        if m:
            out.append(("Missed" if m[2] else "Passed", 0, m[1]))
        m = re.search(r"loopwright.*?\((success|missed)\): (.*)", line)
        if m:
            out.append(("Passed" if m[1] == "success" else "Missed", 0, m[2]))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("only", nargs="*", help="names of programs")
    options = parser.parse_args()
    config = shutil.which("llvm-config-22")
    if not config:
        sys.exit("llvm-config-22 is not there: run scripts/setup.sh")
    bindir = pathlib.Path(run([config, "--bindir"]).stdout.decode().strip())
    tools = {t: str(bindir / t) for t in ("clang", "clang++", "flang")}
    plugin = pathlib.Path(options.plugin).resolve()
    shapes = [Shape(p) for p in sorted(SHAPES.iterdir()) if p.suffix in (".c", ".cpp", ".f90", ".rs")]
    if options.only:
        shapes = [s for s in shapes if s.path.stem in options.only]
    shapes.sort(key=lambda s: s.number)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for shape in shapes:
            transformed, why, same = measure(shape, tools, plugin, pathlib.Path(folder))
            polly = "-" if shape.number > NUMBERED else "yes" if shape.number in POLLY_TRANSFORMS else "no"
            rows.append((shape, transformed, why, same, polly))
            print(f"{shape.number:3} {shape.path.name:28} {transformed:8} same: {same:4} {why}", flush=True)
    table = text_of(rows)
    if options.write:
        TABLE.write_text(table)
    bad = any(same.startswith("NO") or transformed == "fails" for _, transformed, _, same, _ in rows)
    if options.check and TABLE.read_text() != table:
        print(f"{TABLE} says something else: run scripts/shapes.py --write")
        bad = True
    ours = sum(1 for s, t, _, same, _ in rows if s.number <= NUMBERED and t == "yes" and same == "yes")
    print(f"{ours} of {NUMBERED} transformed with the same results (Polly: {len(POLLY_TRANSFORMS)})")
    return 1 if bad else 0


def text_of(rows):
    ours = sum(1 for s, t, _, same, _ in rows if s.number <= NUMBERED and t == "yes" and same == "yes")
    more = [r for r in rows if r[0].number > NUMBERED]
    lines = [
        "# Shapes of real code",
        "",
        "Made by `scripts/shapes.py --write`. *Transformed*: all loops of the kernel, under `policy=force`, which transforms all that is",
        "legal; *partly*: some of them. *Same*: what the program writes equals plain clang's bit for bit under every policy. *Polly*:",
        "did Polly of LLVM 22.1.8, with default options, emit code for it?",
        "",
        f"**{ours} of {NUMBERED}** (Polly: {len(POLLY_TRANSFORMS)})"
        + (f"; of the others **{sum(1 for r in more if r[1] == 'yes' and r[3] == 'yes')} of {len(more)}**." if more else "."),
        "",
        "| | shape | transformed | why not | same | Polly |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for shape, transformed, why, same, polly in rows:
        lines.append(f"| {shape.number} | [{shape.title}]({shape.path.name}) | {transformed} | {why} | {same} | {polly} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
