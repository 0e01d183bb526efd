#!/usr/bin/env python3
"""Lists the inner loops of micro-kernels in an assembly file, x86-64 (AT&T) or AArch64, one line each:

    dgemm: 24 vector multiply-adds (zmm), 3 vector loads, 8 broadcasts, 39 instructions

An inner loop is a block that branches to itself and has at least eight vector multiply-adds. Words are added for what
must not be there: "N on the stack", "N scalar" (floating-point arithmetic on one lane).

With --cpu (and --target) llvm-mca runs the loop as that processor would, and the line goes on with "N multiply-adds per cycle"."""

import argparse
import pathlib
import re
import subprocess
import sys

LEAST = 8

X86 = {
    # Without FMA the product and the sum are two instructions: the product counts.
    "fma": r"vfn?m(?:add|sub)\d+p[sd]\b|v?mulp[sd]\b|v?pmaddwd\b|(?:\{vex\}\s+)?vpdp(?:wss|b[us][us])d\b",
    "scalar": r"v?(?:add|sub|mul|div)s[sd]\b|vfn?m(?:add|sub)\d+s[sd]\b",
    "stack": r"\S+\s.*\(%rsp\b",
    "broadcast": r"v?broadcasts[sd]\b|vpbroadcastd\b|v?movddup\b|.*\{1to\d+\}",
    "load": r"v?mov(?:[au]p[sd]|dq[au]\d*)\s+[^%]*\(.*\), %[xyz]mm",
    "branch": r"j\w+\s+(\S+)",
    "register": r"%([xyz]mm)\d",
    "comment": r"\s*#.*",
}
AARCH64 = {
    # Apple's assembler has the shape of vectors behind the instruction.
    "fma": r"(?:fml[as]|us?dot|sdot)(?:\.\d\w)?\s+[vz]\d",
    "scalar": r"f(?:add|sub|mul|div|madd|msub|nmadd|nmsub)\s+[sd]\d",
    # fp is x29.
    "stack": r"\w+\s.*\[(?:sp|x29)\b",
    "broadcast": r"ld1r|ldp?u?r?\s+[sd]\d.*\[|dup\s",
    "load": r"ldu?r\s+q\d|ldp\s+q\d|ld1\s|ld1[wd]\s",
    "branch": r"(?:b\.\w+|cbn?z|tbn?z)\s.*?(\.?L\w+)$",
    "register": r"\b([vz])\d",
    "comment": r"\s*(?://|;).*",
}


def blocks(lines, comment):
    """(function, label, instructions) of each block; one without a label belongs to the block that falls into it."""
    function, label, body = "", None, []
    for line in lines:
        line = re.sub(comment, "", line)
        if found := re.match(r"([\w.$]+):", line):
            if label is not None:
                yield function, label, body
            label, body = found[1], []
            if not re.match(r"\.?L", label):
                function = label.lstrip("_")
        elif line.startswith("\t") and not line.startswith("\t."):
            body.append(line.strip())
    if label is not None:
        yield function, label, body


def inner_loops(text):
    words = X86 if "%rsp" in text else AARCH64
    for function, label, body in blocks(text.splitlines(), words["comment"]):
        back = [k for k, line in enumerate(body) if (b := re.match(words["branch"], line)) and b[1] == label]
        if not back:
            continue
        body = body[: back[-1] + 1]
        kinds = ("fma", "scalar", "stack", "broadcast", "load")
        counts = {kind: sum(bool(re.match(words[kind], line)) for line in body) for kind in kinds}
        if counts["fma"] < LEAST:
            continue
        multiply_adds = [line for line in body if re.match(words["fma"], line)]
        registers = {found for line in multiply_adds for found in re.findall(words["register"], line)}
        yield function, counts, registers, body


def cycles(body, mca, target, cpu):
    """Cycles of an iteration of the loop whose last instruction branches back."""
    text = "again:\n" + "\n".join(body[:-1]) + "\n" + re.sub(r"\.?L\w+$", "again", body[-1]) + "\n"
    rounds = 1000
    command = [mca, f"-mtriple={target}", f"-mcpu={cpu}", f"-iterations={rounds}", "-resource-pressure=false", "-instruction-info=false"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"llvm-mca: {done.stderr}")
    return int(re.search(r"Total Cycles:\s+(\d+)", done.stdout)[1]) / rounds


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("assembly", type=pathlib.Path)
    arguments.add_argument("--show", action="store_true", help="the loops themselves, too")
    arguments.add_argument("--mca", default="llvm-mca")
    arguments.add_argument("--target", default="x86_64-linux-gnu")
    arguments.add_argument("--cpu")
    chosen = arguments.parse_args()
    for function, counts, registers, body in inner_loops(chosen.assembly.read_text()):
        line = f"{function}: {counts['fma']} vector multiply-adds ({' '.join(sorted(registers))}), "
        line += f"{counts['load']} vector loads, {counts['broadcast']} broadcasts, {len(body)} instructions"
        for name, word in (("stack", "on the stack"), ("scalar", "scalar")):
            if counts[name]:
                line += f", {counts[name]} {word}"
        if chosen.cpu:
            line += f", {counts['fma'] / cycles(body, chosen.mca, chosen.target, chosen.cpu):.2f} multiply-adds per cycle"
        print(line)
        if chosen.show:
            print(*(f"    {instruction}" for instruction in body), sep="\n")


if __name__ == "__main__":
    main()
