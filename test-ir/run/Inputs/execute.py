#!/usr/bin/env python3
"""Compiles one kernel file with and without the plugin, in many ways, into one program, and runs that program, which
compares the results of all variants with those of the variant without the plugin (see main.c)."""

import argparse
import pathlib
import re
import subprocess
import sys

# Within a group all variants must agree: they differ in nothing but the plugin.
GROUPS = {
    "O3": ["-O3"],
    "native": ["-O3", "-march=native", "-fno-math-errno"],
}
SEED_OF = {"O3": "1", "native": "2"}  # of the random policy, where no others are asked for


def option(name, value):
    return ["-mllvm", f"-loopwright-{name}={value}"]


FORCE = option("policy", "force")
KERNELS = option("policy", "kernels")
SMALL = option("l1", "1k") + option("l2", "8k") + option("l3", "16k")

# Emulated arithmetic is some fifty times as slow. Several tiles of registers and of the small caches are in this; those of real caches are longer than the usual sizes, too.
LARGEST_EMULATED = 66


def groups(target, cpu):
    """Those above; or one alone, for another processor than this one."""
    if not cpu:
        return GROUPS
    flag = "-mcpu" if target else "-march"
    flags = ["-O3", f"{flag}={cpu}", "-fno-math-errno"]
    if target.startswith("aarch64"):
        # Where LLVM's vectoriser takes up a sum of products in order, it rounds the products, which are fused everywhere else.
        flags += ["-mllvm", "-force-ordered-reductions=false"]
    return {cpu: flags}


def variants(group, seeds, lanes, cpu):
    """name -> options. Where what matters does not depend on the vectors there are, one of the groups is enough."""
    if cpu:
        return {"auto": [], "kernels": KERNELS, "kernels, small caches": KERNELS + SMALL}
    if lanes:
        return {
            f"lanes {n}{''.join(f', {s}' for s in how)}": FORCE + option("lanes", n) + [x for s in how for x in option(s, "")]
            for n in lanes.split(",")
            for how in ([], ["mask"], ["pack"], ["mask", "pack"])
        }
    result = {"auto": [], "force": FORCE, "kernels": KERNELS, "kernels, small caches": KERNELS + SMALL}
    if group == "native":
        result["force, tile 8"] = FORCE + option("tile", "8")
    for seed in seeds or [SEED_OF[group]]:
        result[f"random, seed {seed}"] = option("policy", "random") + option("seed", seed)
    return result


def run(command, timeout):
    """The output of a command; ends this program when the command fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        sys.exit(f"FAIL still running after {timeout} s: {' '.join(command)}")
    if done.returncode != 0:
        print(done.stdout)
        sys.exit(f"FAIL exit status {done.returncode}: {' '.join(command)}")
    return done.stdout


def kernel_lines(source):
    """name of kernel -> (first line, last line)"""
    result, name, first = {}, None, 0
    for number, line in enumerate(source.read_text().splitlines(), start=1):
        if start := re.match(r"[A-Z]+\((\w+)", line):
            name, first = start.group(1), number
            if line.endswith(")"):  # a kernel made by a macro of the file
                result[name], name = (number, number), None
        elif line.startswith("}") and name:
            result[name] = (first, number)
            name = None
    return result


def transformed(source, output):
    """The kernels that a remark of -Rpass=loopwright speaks of."""
    places = re.findall(rf"{re.escape(source.name)}:(\d+):\d+: remark: .*\[-Rpass=loopwright\]", output)
    return {
        name
        for name, (first, last) in kernel_lines(source).items()
        if any(first <= int(line) <= last for line in places)
    }


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("source", type=pathlib.Path)
    arguments.add_argument("--clang", required=True)
    arguments.add_argument("--plugin", required=True)
    arguments.add_argument("--out", type=pathlib.Path, required=True, help="folder for the objects")
    arguments.add_argument("--seeds", default="", help="seeds of the random policy, by commas, for each group; otherwise one for each")
    arguments.add_argument("--lanes", default="", help="numbers of lanes, by commas: vectors of our own, instead of all else")
    arguments.add_argument("--cpu", default="", help="for this processor or level alone, and only the policies that make kernels")
    arguments.add_argument("--target", default="", help="cross-compile for this target, with its C library linked statically")
    arguments.add_argument("--emulator", default="", help="what runs programs of that target")
    arguments.add_argument("--timeout", type=int, default=600, help="of one command, in seconds")
    chosen = arguments.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    inputs = pathlib.Path(__file__).resolve().parent

    target_flags = [f"--target={chosen.target}"] if chosen.target else []

    def compile_object(source, name, flags):
        target = chosen.out / (re.sub(r"\W+", "_", name) + ".o")
        command = [chosen.clang, *target_flags, "-std=gnu11", "-ferror-limit=3", f"-I{inputs}", *flags, "-c", str(source)]
        return target, run([*command, "-o", str(target)], chosen.timeout)

    seeds = [s for s in chosen.seeds.split(",") if s]
    objects = [compile_object(inputs / "main.c", "main", ["-O2"])[0]]
    counts = {}
    for group, flags in groups(chosen.target, chosen.cpu).items():
        defines = [f'-DGROUP="{group}"']
        objects.append(compile_object(chosen.source, group, [*flags, *defines])[0])
        for variant, options in variants(group, seeds, chosen.lanes, chosen.cpu).items():
            plugin = [f"-fpass-plugin={chosen.plugin}", *options, "-Rpass=loopwright", "-Rpass-missed=loopwright"]
            everything = [*flags, *defines, f'-DVARIANT="{variant}"', *plugin]
            compiled, output = compile_object(chosen.source, f"{group} {variant}", everything)
            objects.append(compiled)
            if fault := re.search(r".*internal error of loopwright.*", output):
                sys.exit(f"FAIL {' '.join(everything)}\n{fault[0]}")
            counts.setdefault(variant, set()).update(transformed(chosen.source, output))
            if variant == "force" and group == "native":
                again, _ = compile_object(chosen.source, f"{group} {variant} again", everything)
                if again.read_bytes() != compiled.read_bytes():
                    sys.exit(f"FAIL two compilations differ: {' '.join(everything)}")
    program = chosen.out / "program"
    static = [*target_flags, "-static"] if chosen.target else []
    run([chosen.clang, *static, *map(str, objects), "-lm", "-o", str(program)], chosen.timeout)
    command = [chosen.emulator, str(program), str(LARGEST_EMULATED)] if chosen.emulator else [str(program)]
    print(run(command, chosen.timeout), end="")
    total = len(kernel_lines(chosen.source))
    print(f"{chosen.source.name}: {total} kernels; transformed:", "; ".join(f"{v} {len(c)}" for v, c in counts.items()))


if __name__ == "__main__":
    main()
