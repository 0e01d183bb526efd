"""Measures the plugin against its rivals. Called by bench.sh, which builds the plugin."""

import argparse
import datetime
import functools
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

import measure
import plot
import ranks
import suite
import table
from ways import LOOPWRIGHT, REFERENCE, Clock, Kernel, rivals

# What is measured by size for the results that are kept.
SWEPT = ("matmul_ijk", "trisolve", "cholesky", "lu", "syrk", "gemver", "jacobi_2d", "contraction_three", "convolution_channels")
SHARES = {"results": 0.5, "sweeps": 0.25, "ranks": 0.25}  # of a limited time, where all is measured
PEAKS = ("gflops", "cache", "memory")


def first_line(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=measure.ROOT)
        return done.stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def processor():
    """Its name, and where that says little (virtual machines), what clang takes it for."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            name = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.machine()
    target = re.search(r'"-target-cpu" "([^"]+)"', commands())
    return f"{name} ({target[1]})" if target else name


def commands():
    """What clang would run, with the name of the processor spelt out."""
    command = [*measure.CLANG, "-###", "-c", "-x", "c", os.devnull, "-o", os.devnull]
    return subprocess.run(command, capture_output=True, text=True).stderr


def slug(name):
    """`AMD EPYC 9B45 (znver5)` -> `amd-epyc-9b45-znver5`."""
    name = re.sub(r"\((R|TM)\)|@.*?GHz|\b(CPU|Processor|with .* Graphics)\b", " ", name, flags=re.IGNORECASE)
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def peaks():
    """What the core can do: GFlop/s of f64, GB/s from the second-level cache and from memory."""
    source = measure.ROOT / "scripts" / "peaks.c"
    widest = ["-mprefer-vector-width=512"] if platform.machine() == "x86_64" else []
    program = measure.build(source, "clang", [*measure.CLANG, *widest])
    found = [measure.run([str(program.path)]).stdout.split() for _ in range(3)]
    best = (max(map(float, values)) for values in zip(*found, strict=True))
    return dict(zip(PEAKS, best, strict=False))


def failures(results, ranked):
    """What must not happen to loopwright itself."""
    found = [f"{r['kernel']}, {name}: {problem}" for r in ranked for name, problem in r["problems"].items()]
    for result in results:
        ours = result["ways"].get(LOOPWRIGHT)
        if LOOPWRIGHT in result["problems"]:
            found.append(f"{result['kernel']}: {result['problems'][LOOPWRIGHT]}")
        elif ours and REFERENCE in result["ways"] and not ours["identical"]:
            found.append(f"{result['kernel']}, n = {result['size']}: other results than clang's")
    return found


def parse():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rounds", type=int, default=5, help="how often all ways run in turn")
    arguments.add_argument("--runs", type=int, help="timed runs in one process; by default as its time suggests")
    arguments.add_argument("--only", default="", help="kernels, by commas")
    arguments.add_argument("--thirty", action="store_true", help="only the computations of the PolyBench collection")
    arguments.add_argument("--quick", action="store_true", help="one round of one run: for trying, not for judging")
    arguments.add_argument("--sizes", help="sizes by commas, or 'sweep' for a range: the kernels of --only by size, instead of the table")
    arguments.add_argument("--ranks", action="store_true", help="predicted cost against measured time over several choices for each kernel, instead of the table")
    arguments.add_argument("--minutes", type=float, help="no longer than about this: fewer rounds, then fewer rivals")
    arguments.add_argument("--plot", metavar="FOLDER", type=pathlib.Path, help="draws pictures there")
    arguments.add_argument("--peaks", help="GFlop/s of f64, GB/s from cache and from memory, by commas, instead of measuring them")
    arguments.add_argument("--keep", action="store_true", help="table, sizes of some kernels, ranks and pictures into results/PROCESSOR/")
    chosen = arguments.parse_args()
    if chosen.quick:
        chosen.rounds = chosen.runs = 1
    return chosen


def wanted(chosen):
    """The kernels that were asked for."""
    kernels = suite.kernels()
    names = list(filter(None, chosen.only.split(","))) or list(kernels)
    if unknown := set(names) - set(kernels):
        sys.exit(f"no such kernel: {', '.join(sorted(unknown))}")
    return [kernels[name] for name in names if kernels[name].thirty or not chosen.thirty]


def sizes_of(kernel, text):
    return suite.sweep(kernel) if text in (None, "sweep") else [int(size) for size in text.split(",")]


def measure_all(tasks, clock, chosen):
    """One result for each pair of a kernel and a size; kernels are built once."""
    results, files = [], suite.sources()
    built = None
    for number, (kernel, size) in enumerate(tasks, start=1):
        until = clock.share(len(tasks) - number + 1)
        if built is None or built.name != kernel.name:
            built = Kernel(kernel.name, files[kernel.name], kernel.size)
        results.append(built.measure(size, chosen.rounds, chosen.runs, until))
        print(f"{number}/{len(tasks)} {kernel.name} {size}", file=sys.stderr, flush=True)
    return results


def rank_all(kernels, clock, rounds):
    """One result for each kernel."""
    results, files = [], suite.sources()
    for number, kernel in enumerate(kernels, start=1):
        until = clock.share(len(kernels) - number + 1)
        results.append(ranks.measure_choices(kernel, files[kernel.name], rounds, until))
        print(f"{number}/{len(kernels)} {kernel.name}, choices", file=sys.stderr, flush=True)
    return results


def share_out(seconds, **work):
    """What starts the clock of each part of the work, by name: those that there is nothing to do for leave their share to the others."""
    whole = sum(SHARES[name] for name, tasks in work.items() if tasks)
    return {name: functools.partial(Clock, seconds and seconds * SHARES[name] / whole) for name in work}


def main():
    chosen = parse()
    measure.use_one_core()
    kernels, seconds = wanted(chosen), chosen.minutes and chosen.minutes * 60
    swept = kernels if chosen.sizes else [k for k in kernels if k.name in SWEPT] if chosen.keep else []
    sweeps = [(kernel, size) for kernel in swept for size in sizes_of(kernel, chosen.sizes)]
    tasks = [] if chosen.sizes or chosen.ranks else [(kernel, kernel.size) for kernel in kernels]
    ranked = kernels if chosen.ranks or (chosen.keep and not chosen.sizes) else []

    report = {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "commit": first_line("git", "describe", "--always", "--dirty"),
        "processor": processor(),
        "clang": first_line("clang-22", "--version"),
        "gcc": first_line("gcc", "--version"),
        "rounds": chosen.rounds,
        "ways": rivals(),
        "peaks": None,
    }
    if chosen.peaks:
        report["peaks"] = dict(zip(PEAKS, map(float, chosen.peaks.split(",")), strict=True))
    elif chosen.plot or chosen.keep:
        report["peaks"] = peaks()
    clocks = share_out(seconds, results=tasks, sweeps=sweeps, ranks=ranked)
    report["results"] = measure_all(tasks, clocks["results"](), chosen)
    by_size = measure_all(sweeps, clocks["sweeps"](), chosen)
    report["sweeps"] = {k.name: [r for r in by_size if r["kernel"] == k.name] for k in swept}
    report["ranks"] = rank_all(ranked, clocks["ranks"](), chosen.rounds)
    # Whatever becomes of the summary, what was measured is there.
    save(report)
    report["geometric_mean"] = {
        title: {way: table.mean_ratio(members, way) for way in [*report["ways"], table.BEST_POLLY]}
        for title, members in table.groups(report["results"]).items()
    }
    write(report, chosen)
    if found := failures([*report["results"], *by_size], report["ranks"]):
        sys.exit("\n".join(["FAILED", *found]))


def save(report):
    text = json.dumps(report, indent=1) + "\n"
    measure.BUILD.mkdir(exist_ok=True)
    (measure.BUILD / "bench.json").write_text(text)
    return text


def write(report, chosen):
    print(table.as_text(report, measure.columns()))
    text = save(report)
    written = ["build/bench.json"]
    if chosen.plot:
        written += [str(chosen.plot / f"{name}.svg") for name in plot.draw(report, chosen.plot)]
    if chosen.keep:
        folder = measure.ROOT / "results" / slug(report["processor"])
        pictures = plot.draw(report, folder)
        (folder / "bench.json").write_text(text)
        (folder / "README.md").write_text("\n".join(table.as_markdown(report, pictures)) + "\n")
        written.append(f"results/{folder.name}/")
    print(f"written: {', '.join(written)}")


if __name__ == "__main__":
    main()
