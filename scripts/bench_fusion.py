"""Measures what the planner of traversals is worth: sequences of operations with option fuse=auto against fuse=off, and against the laziest and
the eagerest traversal as they are, by size. Called by `bench.sh --fusion`, which builds the plugin."""

import argparse
import sys

import measure

SEQUENCES = ("cholesky_solve", "lu_solve", "inverse_product", "gemver", "two_products", "three_products")
SIZES = (16, 32, 64, 128, 256, 512, 1024, 1500)
MODES = ("off", "auto", "lazy", "eager")
REFERENCE = "clang"
NEVER_SLOWER = 0.97  # auto, as a part of the speed of the faster of itself and fuse=off
SECONDS_IN_PROCESS, MOST_RUNS = 0.3, 99


def compiler(mode):
    return [*measure.CLANG, *measure.plugin_flags(), "-mllvm", f"-loopwright-fuse={mode}"]


def build(source):
    """The program in every mode, and as clang makes it."""
    built = {mode: measure.build(source, f"fuse {mode}", compiler(mode)) for mode in MODES}
    return {REFERENCE: measure.build(source, REFERENCE, measure.CLANG), **built}


def times(programs, size, rounds):
    """The median time of each at one size, run in turn; results must be equal."""
    for program in programs.values():
        program.seconds.clear()
        program.hashes.clear()
    programs[REFERENCE].run(size, 1)
    runs = max(1, min(MOST_RUNS, round(SECONDS_IN_PROCESS / max(programs[REFERENCE].seconds.pop(), 1e-6))))
    for turn in range(rounds):
        order = list(programs)
        shift = turn % len(order)
        for way in order[shift:] + order[:shift]:
            programs[way].run(size, runs)
    if len(set.union(*(program.hashes for program in programs.values()))) != 1:
        raise measure.Failure(f"{programs[REFERENCE].path.name} at {size}: not the same results")
    return {way: program.median() for way, program in programs.items()}


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=5, help="how often all ways run in turn")
    arguments.add_argument("--only", default=",".join(SEQUENCES), help="sequences, by commas")
    arguments.add_argument("--sizes", default=",".join(map(str, SIZES)), help="sizes, by commas")
    chosen = arguments.parse_args()
    measure.use_one_core()
    print(f"{'sequence':<18}{'size':>6}{'clang':>13}" + "".join(f"{mode:>8}" for mode in MODES) + f"{'auto/off':>10}")
    losses = []
    for name in chosen.only.split(","):
        source = next(iter((measure.ROOT / "examples").rglob(f"{name}.c")), None) or sys.exit(f"no such example: {name}")
        programs = build(source)
        off, auto = (measure.compile_kernel(source, compiler(way)).assembly for way in ("off", "auto"))
        same = off == auto
        for size in map(int, chosen.sizes.split(",")):
            medians = times(programs, size, chosen.rounds)
            clang = medians[REFERENCE]
            ratios = "".join(f"{clang / medians[mode]:>8.2f}" for mode in MODES)
            share = medians["off"] / medians["auto"]
            shown = "same code" if same else f"{share:.2f}"
            print(f"{name:<18}{size:>6}{clang * 1e6:>10.1f} us{ratios}{shown:>10}", flush=True)
            if not same and share < NEVER_SLOWER:
                losses.append(f"{name} at {size}: {share:.2f}")
    print("\nratios: clang's time over the time of each; auto/off: the speed of auto as a part of that without traversals")
    print(f"auto below {NEVER_SLOWER} of off: {', '.join(losses) or 'never'}")


if __name__ == "__main__":
    main()
