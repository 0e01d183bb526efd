#!/usr/bin/env python3
"""Builds a program with and without the plugin in the same way, runs both and compares what they print and how they end.

    both.py --clang=C --plugin=P --out=PREFIX [--run=COMMAND] [--transforms=yes|no] FLAGS... FILE

--transforms says whether the compilation with the plugin must have transformed loops, or must not."""

import argparse
import re
import subprocess
import sys


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode, done.stdout


def main():
    arguments = argparse.ArgumentParser()
    for name in ("clang", "plugin", "out"):
        arguments.add_argument(f"--{name}", required=True)
    arguments.add_argument("--transforms", choices=["yes", "no"])
    known, flags = arguments.parse_known_args()
    results = []
    for name, plugin in (("plain", []), ("plugin", [f"-fpass-plugin={known.plugin}", "-mllvm", "-loopwright-policy=force", "-Rpass=loopwright", "-Rpass-missed=loopwright"])):
        program = f"{known.out}.{name}"
        status, text = run([known.clang, "-w", *flags, *plugin, "-lm", "-o", program])
        if status != 0 or "internal error" in text:
            sys.exit(f"building, {name}: exit status {status}\n{text}")
        if plugin and known.transforms:
            count = len(re.findall(r"\[-Rpass=loopwright\]", text))
            if (count > 0) != (known.transforms == "yes"):
                sys.exit(f"{count} nests transformed:\n{text}")
        results.append(run([program]))
    if results[0] != results[1]:
        sys.exit(f"without the plugin: {results[0]}\nwith it: {results[1]}")


main()
