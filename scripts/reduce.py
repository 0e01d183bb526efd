#!/usr/bin/env python3
"""Cuts a C program down while it still goes wrong with the plugin.

    scripts/reduce.py --plugin=target/release/libloopwright.so FILE.c -O3 -mllvm -loopwright-policy=force

What goes wrong is found first: clang crashes, reports an internal error or does not end with the plugin only, or the program
does something else (what it prints, how it ends). Then blocks in braces, runs of lines, and parts of lines are removed, from
large to small, again and again, as long as the same thing goes wrong. A program without the plugin must stay well: it must end
in the same way at -O0 and with the sanitizers of address and undefined behaviour, where they are installed.

Writes FILE.reduced.c."""

import argparse
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

COMPILE_LIMIT, RUN_LIMIT = 30, 10  # seconds of processor time


def run(command, limit):
    def prepare():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))

    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", preexec_fn=prepare)
    return done.returncode, done.stdout


class Judge:
    def __init__(self, chosen, flags, folder):
        self.chosen, self.flags, self.folder = chosen, flags, folder
        self.tried = 0
        # Overflow of signed numbers and the like make a program that shows nothing.
        self.strict = ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
        probe = self.folder / "probe.c"
        probe.write_text("int main(void) { return 0; }\n")
        if run([chosen.clang, *self.strict, probe, "-o", self.folder / "probe"], COMPILE_LIMIT)[0]:
            print("no sanitizers here: what is left may be undefined")
            self.strict = []

    def build(self, flags, name):
        # With -w a program that calls what it does not declare would still compile.
        plain = [f for f in flags if "loopwright" not in f and f != "-mllvm"] if name != "plugin" else flags
        return run([self.chosen.clang, "-w", "-Werror=implicit-function-declaration", "-Werror=return-type", *plain, self.folder / "x.c", "-lm", "-o", self.folder / name], COMPILE_LIMIT)

    def fault(self, text):
        """The kind of what goes wrong, or ''."""
        self.tried += 1
        (self.folder / "x.c").write_text(text)
        if self.build(self.flags, "plain")[0]:
            return ""
        status, said = self.build([*self.flags, f"-fpass-plugin={self.chosen.plugin}", "-Rpass-missed=loopwright"], "plugin")
        if "internal error" in said:
            return "internal error"
        if status:
            return "hang" if status < 0 else "crash"
        plain = run([self.folder / "plain"], RUN_LIMIT)
        if plain == run([self.folder / "plugin"], RUN_LIMIT):
            return ""
        for flags in (["-O0"], self.strict):
            if flags and (self.build([*self.flags, *flags], "other")[0] or run([self.folder / "other"], 5 * RUN_LIMIT) != plain):
                return ""
        return "different"


def braces(text):
    """Places of what stands in braces, the largest first, with the text in front of it up to the last end of a statement."""
    stack, found = [], []
    for at, c in enumerate(text):
        if c == "{":
            stack.append(at)
        elif c == "}" and stack:
            start = stack.pop()
            head = max(text.rfind(end, 0, start) for end in ";{}\n") + 1
            found += [(head, at + 1), (start + 1, at)]
    return sorted(found, key=lambda p: p[0] - p[1])


def attempts(text):
    """Parts of the text, as start and end, and what may stand in their place; the boldest first."""
    for start, end in braces(text):
        yield start, end, ""
    for start, end in braces(text):  # a loop or condition goes, its body stays
        if "{" in text[start:end] and re.match(r"\s*(?:for|if|while|do|else)\b", text[start:end]):
            yield start, text.index("{", start), ""
    starts = [0, *(m.end() for m in re.finditer("\n", text)), len(text)]
    size = len(starts) // 2
    while size:
        for at in range(0, len(starts) - 1, size):
            yield starts[at], starts[min(at + size, len(starts) - 1)], ""
        size //= 2
    for m in re.finditer(r"[-+*&|^/%] *[\w.]+(?:\[[^][]*\])*|, *[\w *.&]+(?=[,)])", text):
        yield m.start(), m.end(), ""
    for m in re.finditer(r"\b\d{2,}\b", text):
        yield m.start(), m.end(), "1"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--plugin", required=True)
    arguments.add_argument("--clang", default="clang-22")
    arguments.add_argument("--seconds", type=float, default=600)
    arguments.add_argument("file", type=pathlib.Path)
    chosen, flags = arguments.parse_known_args()
    text = chosen.file.read_text()
    end = time.monotonic() + chosen.seconds
    with tempfile.TemporaryDirectory() as name:
        judge = Judge(chosen, flags or ["-O3"], pathlib.Path(name))
        kind = judge.fault(text)
        if not kind:
            sys.exit("nothing goes wrong with this file")
        print(f"{kind}; {len(text)} characters")
        at = failed = 0
        parts = list(attempts(text))
        while failed < len(parts) and time.monotonic() < end:
            start, stop, middle = parts[at % len(parts)]
            candidate = text[:start] + middle + text[stop:]
            if start < stop and judge.fault(candidate) == kind:
                text, failed = candidate, 0
                parts = list(attempts(text))
            else:
                at, failed = at + 1, failed + 1
        out = chosen.file.with_suffix(".reduced.c")
        out.write_text(text)
        print(f"{out}: {len(text)} characters after {judge.tried} trials")


if __name__ == "__main__":
    main()
