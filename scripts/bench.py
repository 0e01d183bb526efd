"""Measures the plugin against its rivals. Called by bench.sh, which builds the plugin."""

import argparse
import datetime
import json
import math
import platform
import shutil
import statistics
import subprocess
import sys

import measure

POLLY = ["-mllvm", "-polly"]
NEVER_SLOWER = 0.9  # below this ratio to clang a kernel counts as a loss

# Sizes that differ from the default of the example. The products at 1000 are the ones that have been promised.
SIZES = {
    **{f"matmul_{order}": 1000 for order in ("ijk", "ikj", "jik", "jki", "kij", "kji", "restrict", "flat", "at_b", "a_bt")},
    "trisolve": 1000,
    "trisolve_shifted": 1000,
    "trisolve_column_major": 1000,
    "cholesky": 1000,
    "lu": 1000,
    "syrk": 1000,
    "two_products": 800,
    "covariance": 800,
}


def ways():
    """Name of each way to compile -> the compiler with its flags. The first is the one all are compared with."""
    result = {
        "clang": measure.CLANG,
        "loopwright": [*measure.CLANG, *measure.plugin_flags()],
        "polly": [*measure.CLANG, *POLLY],
        "polly early": [*measure.CLANG, *POLLY, "-mllvm", "-polly-position=early"],
    }
    if shutil.which("gcc"):
        result["gcc"] = ["gcc", "-O3", "-march=native"]
    return result


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=measure.ROOT).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def measure_kernel(source, size, rounds, runs):
    """Builds the kernel in all ways and runs them in turn. A way that fails is left out, unless it is one of ours."""
    programs, problems = {}, {}
    for way, compiler in ways().items():
        try:
            programs[way] = measure.build(source, way, compiler)
        except measure.Failure as failure:
            problems[way] = str(failure)
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
    clang = programs.get("clang")
    result = {"kernel": source.stem, "size": size, "changed": changed, "done": done, "problems": problems, "ways": {}}
    for way, program in programs.items():
        result["ways"][way] = {
            "seconds": program.seconds,
            "median": program.median(),
            "compile_seconds": program.compile_seconds,
            "ratio": clang.median() / program.median() if clang else None,
            "identical": bool(clang) and program.hashes == clang.hashes and len(program.hashes) == 1,
        }
    return result


def default_size(source):
    """The size in the example's call of size_argument; 0 leaves it to the example."""
    return SIZES.get(source.stem, 0)


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values))) if values else float("nan")


def ratio(result, way):
    return result["ways"].get(way, {}).get("ratio")


def cell(result, way):
    entry = result["ways"].get(way)
    if not entry:
        return f"{'failed':>13}"
    # Rivals may round differently (gcc contracts more); that is marked, and is no failure.
    return f"{entry['ratio']:>12.2f}{' ' if entry['identical'] else '~'}"


def print_table(results):
    others = [way for way in ways() if way != "clang"]
    print(f"\n{'kernel':<24}{'size':>6}{'clang':>12}" + "".join(f"{way:>12} " for way in others) + f"{'compile':>8}  what was done")
    for result in sorted(results, key=lambda r: ratio(r, "loopwright") or 0.0):
        clang, ours = result["ways"].get("clang"), result["ways"].get("loopwright")
        time = f"{clang['median'] * 1e3:>9.2f} ms" if clang else f"{'failed':>12}"
        compile_ratio = f"{ours['compile_seconds'] / clang['compile_seconds']:>7.1f}x" if clang and ours else f"{'-':>8}"
        line = f"{result['kernel']:<24}{result['size'] or '':>6}{time}" + "".join(cell(result, way) for way in others)
        print(f"{line}{compile_ratio}  {result['done']}"[: measure.columns()])
    print(f"{'geometric mean':<42}" + "".join(
        f"{geometric_mean([r for r in (ratio(result, way) for result in results) if r]):>12.2f} " for way in others
    ))
    print("\nratios: clang's time over the time of each; ~ marks results that are not clang's bit for bit")


def failures(results):
    """What must not happen to loopwright itself."""
    found = []
    for result in results:
        ours = result["ways"].get("loopwright")
        if "loopwright" in result["problems"]:
            found.append(f"{result['kernel']}: {result['problems']['loopwright']}")
        elif ours and "clang" in result["ways"] and not ours["identical"]:
            found.append(f"{result['kernel']}: other results than clang's")
    return found


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=5, help="how often all ways run in turn")
    arguments.add_argument("--runs", type=int, default=3, help="timed runs of the kernel in one process")
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
        results.append(measure_kernel(source, default_size(source), chosen.rounds, chosen.runs))
        print(f"{len(results)}/{len(sources)} {source.stem}", file=sys.stderr, flush=True)

    print_table(results)
    report = {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "commit": first_line("git", "describe", "--always", "--dirty"),
        "processor": processor(),
        "clang": first_line("clang-22", "--version"),
        "gcc": first_line("gcc", "--version"),
        "rounds": chosen.rounds,
        "runs": chosen.runs,
        "geometric_mean": {
            way: geometric_mean([r for r in (ratio(result, way) for result in results) if r]) for way in ways() if way != "clang"
        },
        "results": results,
    }
    measure.BUILD.mkdir(exist_ok=True)
    (measure.BUILD / "bench.json").write_text(json.dumps(report, indent=1) + "\n")
    losses = [result["kernel"] for result in results if (ratio(result, "loopwright") or 1.0) < NEVER_SLOWER]
    print(f"losses (below {NEVER_SLOWER} of clang): {', '.join(losses) or 'none'}")
    print("written: build/bench.json")
    if found := failures(results):
        sys.exit("\n".join(["FAILED", *found]))


if __name__ == "__main__":
    main()
