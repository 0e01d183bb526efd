#!/usr/bin/env python3
"""Writes what the plugin prints today into the CHECK lines of tests. Read the difference before committing it.

    test-ir/bless.py FILE...

For files with one RUN line that pipes a print<loopwright-...> pass into FileCheck: their CHECK lines are replaced by the
whole output; of schedules by the first candidate. The plugin is LOOPWRIGHT_PLUGIN or the release build, as in lit.cfg.py."""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def output(command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT).stdout.strip()


def plugin():
    if os.environ.get("LOOPWRIGHT_PLUGIN"):
        return os.path.abspath(os.environ["LOOPWRIGHT_PLUGIN"])
    metadata = json.loads(output(["cargo", "metadata", "--no-deps", "--offline", "--format-version=1"]))
    return os.path.join(metadata["target_directory"], "release", "libloopwright.so")


def bless(path, tool, library):
    text = path.read_text()
    runs = re.findall(r"^; RUN: (.*)$", text, re.M)
    if len(runs) != 1 or not re.fullmatch(r"%loopwright-opt -passes='print<.*>' -disable-output %s 2>&1 \| %FileCheck %s", runs[0]):
        return f"{path}: not one RUN line that prints a stage"
    passes = re.search(r"-passes='(.*?)'", runs[0]).group(1)
    command = [tool, f"-load-pass-plugin={library}", f"-passes={passes}", "-disable-output", str(path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        return f"{path}: {done.stdout}"
    lines = []
    check = "CHECK"
    for line in done.stdout.rstrip("\n").splitlines():
        if not line.strip():
            if passes.startswith("print<loopwright-schedule"):
                break
            check = "CHECK"
        else:
            is_label = line.startswith("loopwright: function")
            lines.append(f"; {'CHECK-LABEL' if is_label else check}: {line}")
            check = "CHECK-NEXT"
    kept = re.sub(r"^; CHECK.*\n", "", text, flags=re.M)
    run_line = f"; RUN: {runs[0]}\n"
    before, after = kept.split(run_line, 1)
    path.write_text(before + run_line + "\n" + "\n".join(lines) + "\n\n" + after.lstrip("\n"))
    return None


def main():
    tool = os.path.join(output(["llvm-config-22", "--bindir"]), "opt")
    library = plugin()
    complaints = [c for name in sys.argv[1:] if (c := bless(pathlib.Path(name).resolve(), tool, library))]
    if complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
