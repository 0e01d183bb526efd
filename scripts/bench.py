"""Measures the plugin against its rivals. Called by bench.sh, which builds the plugin."""

import argparse
import datetime
import functools
import json
import math
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys

import measure

REFERENCE = "clang"
POLLY = ["-mllvm", "-polly"]
NEVER_SLOWER = 0.9  # a kernel that the plugin has changed counts as a loss below this ratio to clang
SECONDS_IN_PROCESS, MOST_RUNS = 0.3, 9

# Sizes that differ from the default of the example. The products at 1000 are the ones that have been promised.
PRODUCTS = ("ijk", "ikj", "jik", "jki", "kij", "kji", "restrict", "flat", "at_b", "a_bt")
SIZES = {
    **{f"matmul_{product}": 1000 for product in PRODUCTS},
    "trisolve": 1000,
    "trisolve_shifted": 1000,
    "trisolve_column_major": 1000,
    "cholesky": 1000,
    "lu": 1000,
    "syrk": 1000,
    "two_products": 800,
    "covariance": 800,
}

OPENBLAS = "openblas"
# What it has for an example: see openblas.c. Sums are in another order there: its results are not compared.
ROUTINES = {
    **{f"matmul_{product}": "GEMM" for product in ("ijk", "ikj", "jik", "jki", "kij", "kji", "restrict", "flat")},
    "matmul_at_b": "GEMM_AT_B",
    "matmul_a_bt": "GEMM_A_BT",
    "matmul_float": "GEMM_FLOAT",
    "syrk": "SYRK",
    "syr2k": "SYR2K",
    "symm": "SYMM",
    "trmm": "TRMM",
    "trisolve": "SOLVE",
    "trisolve_shifted": "SOLVE",
    "trisolve_column_major": "SOLVE_COLUMN_MAJOR",
    "cholesky": "CHOLESKY",
    "cholesky_rows": "CHOLESKY",
    "lu": "LU",
    "lu_rows": "LU",
}
# It does not know processors that came after it: the fastest of these is taken.
CORE_TYPES = (None, "SkylakeX", "Haswell", "Zen")


@functools.cache
def openblas_is_there():
    return pathlib.Path(first_line("cc", "-print-file-name=libopenblas.so") or "libopenblas.so").is_absolute()


def ways():
    """Name of each way to compile -> the compiler with its flags. All are compared with REFERENCE."""
    result = {
        REFERENCE: measure.CLANG,
        "loopwright": [*measure.CLANG, *measure.plugin_flags()],
        "polly": [*measure.CLANG, *POLLY],
        "polly early": [*measure.CLANG, *POLLY, "-mllvm", "-polly-position=early"],
    }
    if shutil.which("gcc"):
        result["gcc"] = ["gcc", "-O3", "-march=native"]
    return result


def rivals():
    """The columns of the table."""
    return [way for way in ways() if way != REFERENCE] + ([OPENBLAS] if openblas_is_there() else [])


def build_openblas(source, size):
    """The program with the core type that is fastest at this size, one thread."""
    definition = f"-DROUTINE={ROUTINES[source.stem]}"
    library = measure.ROOT / "scripts" / "openblas.c"
    built = measure.build(library, source.stem, [*measure.CLANG, definition], ["-lopenblas"])
    best, problem = None, None
    for core in CORE_TYPES:
        environment = {"OPENBLAS_NUM_THREADS": "1", **({"OPENBLAS_CORETYPE": core} if core else {})}
        program = measure.Program(built.path, built.compile_seconds, environment)
        try:
            program.run(size, 3)
        except measure.Failure as failure:
            problem = failure  # this processor cannot do what that core can
            continue
        if best is None or program.median() < best.median():
            best = program
    if best is None:
        raise problem
    best.seconds.clear()
    best.hashes.clear()
    return best


def first_line(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=measure.ROOT)
        return done.stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def runs_for(program, size):
    """How many timed runs one process should make, by a first one that is not counted."""
    program.run(size, 1)
    seconds = program.seconds.pop()
    return max(1, min(MOST_RUNS, round(SECONDS_IN_PROCESS / max(seconds, 1e-6))))


def measure_kernel(source, size, rounds, runs):
    """Builds the kernel in all ways and runs them in turn. A way that fails is left out of the result's ways."""
    programs, problems = {}, {}
    for way, compiler in ways().items():
        try:
            programs[way] = measure.build(source, way, compiler)
        except measure.Failure as failure:
            problems[way] = str(failure)
    if openblas_is_there() and source.stem in ROUTINES:
        try:
            programs[OPENBLAS] = build_openblas(source, size)
        except measure.Failure as failure:
            problems[OPENBLAS] = str(failure)
    runs = runs or runs_for(programs[REFERENCE], size)
    for round_number in range(rounds):
        order = list(programs)
        turn = round_number % max(len(order), 1)
        for way in order[turn:] + order[:turn]:
            try:
                programs[way].run(size, runs)
            except measure.Failure as failure:
                problems[way] = str(failure)
                del programs[way]
    changed, done = (False, "failed") if "loopwright" in problems else measure.what_was_done(source)
    clang = programs.get(REFERENCE)
    result = {"kernel": source.stem, "size": size, "runs": runs, "changed": changed, "done": done}
    result.update(problems=problems, ways={})
    for way, program in programs.items():
        result["ways"][way] = {
            "seconds": program.seconds,
            "median": program.median(),
            "compile_seconds": program.compile_seconds,
            "ratio": clang.median() / program.median() if clang else None,
            "identical": bool(clang) and program.hashes == clang.hashes and len(program.hashes) == 1,
            **({"core": program.environment.get("OPENBLAS_CORETYPE")} if way == OPENBLAS else {}),
        }
    return result


def size_of(source):
    """The one given here, else the example's own."""
    own = re.search(r"size_argument\(argc, argv, (\d+)\)", source.read_text())
    return SIZES.get(source.stem) or (int(own[1]) if own else 0)


def ratio(result, way):
    return result["ways"].get(way, {}).get("ratio")


def mean_ratio(results, way):
    """The geometric mean over the kernels that have one."""
    ratios = [r for r in (ratio(result, way) for result in results) if r]
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else float("nan")


def of_openblas(result):
    """OpenBLAS's time over ours: 1 is as fast."""
    ours, theirs = ratio(result, "loopwright"), ratio(result, OPENBLAS)
    return ours / theirs if ours and theirs else None


def cell(result, way):
    entry = result["ways"].get(way)
    if not entry and way == OPENBLAS and way not in result["problems"]:
        return f"{'-':>12} "
    if not entry:
        return f"{'failed':>13}"
    if way == OPENBLAS:
        return f"{entry['ratio']:>12.2f} "
    # Rivals may round differently (gcc contracts more); that is marked, and is no failure.
    return f"{entry['ratio']:>12.2f}{' ' if entry['identical'] else '~'}"


def print_table(results):
    others = rivals()
    names = "".join(f"{way:>12} " for way in others) + (f"{'ours/openblas':>14} " if OPENBLAS in others else "")
    print(f"\n{'kernel':<24}{'size':>6}{'clang':>12}{names}{'compile':>8}  what was done")
    for result in sorted(results, key=lambda r: ratio(r, "loopwright") or 0.0):
        clang, ours = result["ways"].get(REFERENCE), result["ways"].get("loopwright")
        time = f"{clang['median'] * 1e3:>9.2f} ms" if clang else f"{'failed':>12}"
        compile_ratio = f"{ours['compile_seconds'] / clang['compile_seconds']:>7.1f}x" if clang and ours else f"{'-':>8}"
        line = f"{result['kernel']:<24}{result['size']:>6}{time}" + "".join(cell(result, way) for way in others)
        if OPENBLAS in others:
            line += f"{share:>14.2f} " if (share := of_openblas(result)) else f"{'-':>14} "
        print(f"{line}{compile_ratio}  {result['done']}"[: measure.columns()])
    print(f"{'geometric mean':<42}" + "".join(f"{mean_ratio(results, way):>12.2f} " for way in others))
    print("\nratios: clang's time over the time of each; ~ marks results that are not clang's bit for bit")
    if OPENBLAS in others:
        print("ours/openblas: the speed of loopwright as a part of that of OpenBLAS's routine, where it has one")


def failures(results):
    """What must not happen to loopwright itself."""
    found = []
    for result in results:
        ours = result["ways"].get("loopwright")
        if "loopwright" in result["problems"]:
            found.append(f"{result['kernel']}: {result['problems']['loopwright']}")
        elif ours and REFERENCE in result["ways"] and not ours["identical"]:
            found.append(f"{result['kernel']}: other results than clang's")
    return found


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=5, help="how often all ways run in turn")
    arguments.add_argument("--runs", type=int, help="timed runs in one process; by default as its time suggests")
    arguments.add_argument("--only", default="", help="kernels, by commas")
    arguments.add_argument("--quick", action="store_true", help="one round of one run: for trying, not for judging")
    chosen = arguments.parse_args()
    if chosen.quick:
        chosen.rounds = chosen.runs = 1
    sources = sorted((measure.ROOT / "examples").rglob("*.c"))
    if chosen.only:
        wanted = set(chosen.only.split(","))
        sources = [source for source in sources if source.stem in wanted]
        if unknown := wanted - {source.stem for source in sources}:
            sys.exit(f"no such kernel: {', '.join(sorted(unknown))}")

    measure.use_one_core()
    results = []
    for source in sources:
        results.append(measure_kernel(source, size_of(source), chosen.rounds, chosen.runs))
        print(f"{len(results)}/{len(sources)} {source.stem}", file=sys.stderr, flush=True)

    print_table(results)
    report = {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "commit": first_line("git", "describe", "--always", "--dirty"),
        "processor": processor(),
        "clang": first_line("clang-22", "--version"),
        "gcc": first_line("gcc", "--version"),
        "rounds": chosen.rounds,
        "geometric_mean": {way: mean_ratio(results, way) for way in rivals()},
        "results": results,
    }
    measure.BUILD.mkdir(exist_ok=True)
    (measure.BUILD / "bench.json").write_text(json.dumps(report, indent=1) + "\n")
    losses = [
        result["kernel"] for result in results if result["changed"] and (ratio(result, "loopwright") or 1.0) < NEVER_SLOWER
    ]
    print(f"losses (below {NEVER_SLOWER} of clang): {', '.join(losses) or 'none'}")
    print("written: build/bench.json")
    if found := failures(results):
        sys.exit("\n".join(["FAILED", *found]))


if __name__ == "__main__":
    main()
