#!/usr/bin/env python3
"""Are the examples sound, and does the plugin leave their results as they are? Builds every program of examples/ plainly, with clang's
sanitizers, and with the plugin under several policies, runs all at small sizes, odd ones among them, and compares the hashes.

    scripts/examples.py --plugin=target/release/libloopwright.so [--only NAME,...] [--sizes N,...]

The exit status is 1 if a sanitizer objects or a result differs."""

import argparse
import os
import sys

import measure

SANITIZERS = ["clang-22", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
POLICIES = {
    "auto": [],
    "kernels": ["-mllvm", "-loopwright-policy=kernels"],
    "tiled": ["-mllvm", "-loopwright-policy=force", "-mllvm", "-loopwright-tile=4"],
}
SIZES = (1, 2, 3, 7, 16, 33)


def hash_of(program, size):
    program.hashes.clear()
    program.run(size, 1)
    return program.hashes.pop()


def differences(source, sizes):
    """What is wrong with one example: a list of lines."""
    reference = measure.build(source, "clang", measure.CLANG)
    others = {"sanitizers": measure.build(source, "sanitizers", SANITIZERS, linker=SANITIZERS)}
    others["sanitizers"].environment = {"ASAN_OPTIONS": "detect_leaks=0"}
    for policy, options in POLICIES.items():
        others[policy] = measure.build(source, f"loopwright {policy}", [*measure.CLANG, *measure.plugin_flags(), *options])
    found = []
    for size in sizes:
        expected = hash_of(reference, size)
        for way, program in others.items():
            try:
                # Without fused multiply-adds the sanitized program rounds differently: it only has to run.
                if hash_of(program, size) != expected and way != "sanitizers":
                    found.append(f"{source.stem}: n = {size}: {way}: another result")
            except measure.Failure as failure:
                found.append(f"{source.stem}: n = {size}: {way}: {str(failure)[:400]}")
    return found


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--plugin", required=True)
    arguments.add_argument("--only", default="", help="examples, by commas")
    arguments.add_argument("--sizes", default=",".join(map(str, SIZES)))
    chosen = arguments.parse_args()
    os.environ["LOOPWRIGHT_PLUGIN"] = os.path.abspath(chosen.plugin)
    sizes = [int(size) for size in chosen.sizes.split(",")]
    wanted = set(filter(None, chosen.only.split(",")))
    failed = 0
    for source in sorted((measure.ROOT / "examples").rglob("*.c")):
        if wanted and source.stem not in wanted:
            continue
        try:
            found = differences(source, sizes)
        except measure.Failure as failure:
            found = [f"{source.stem}: {failure}"]
        failed += bool(found)
        print("\n".join(found) if found else f"{source.stem}: the same", flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
