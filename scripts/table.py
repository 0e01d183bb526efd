"""What a run of bench.py says: the table, means, losses and how good the predictions are, as text or as Markdown."""

import math
import re
import statistics

import ranks
import suite
from ways import LOOPWRIGHT, OPENBLAS, POLLYS, REFERENCE

NEVER_SLOWER = 0.9  # a kernel that the plugin has changed counts as a loss below this ratio to clang


BEST_POLLY = "best polly"  # of its ways, by kernel


def ratio(result, way):
    if way == BEST_POLLY:
        return max(filter(None, (ratio(result, each) for each in POLLYS)), default=None)
    return result["ways"].get(way, {}).get("ratio")


def mean_ratio(results, way):
    """The geometric mean over the kernels that have one."""
    ratios = [r for r in (ratio(result, way) for result in results) if r]
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else None


def of_openblas(result):
    """OpenBLAS's time over ours: 1 is as fast."""
    ours, theirs = ratio(result, LOOPWRIGHT), ratio(result, OPENBLAS)
    return ours / theirs if ours and theirs else None


def losses_first(results):
    return sorted(results, key=lambda result: ratio(result, LOOPWRIGHT) or 0.0)


def groups(results):
    """Title -> results of each group of the suite, of the thirty, and of all."""
    table = suite.kernels()
    found = {group: [r for r in results if table[r["kernel"]].group == group] for group in suite.SUITE}
    found[suite.THIRTY] = [r for r in results if table[r["kernel"]].thirty]
    found["all"] = results
    return {title: members for title, members in found.items() if members}


def losses(results):
    return [r for r in losses_first(results) if r["changed"] and (ratio(r, LOOPWRIGHT) or 1.0) < NEVER_SLOWER]


def predicted(result):
    """The speed-up that the plugin has predicted, where it has changed one region."""
    found = re.findall(r"predicted ([\d.]+) times as fast", result["done"]) if result["changed"] else []
    return float(found[0]) if len(found) == 1 else None


def rank_correlation(results):
    """Spearman's, between predicted and measured speed-up, and over how many kernels."""
    pairs = [(predicted(r), ratio(r, LOOPWRIGHT)) for r in results if predicted(r) and ratio(r, LOOPWRIGHT)]
    return ranks.spearman(pairs), len(pairs)


def gflops(result, way):
    """Where operations are counted."""
    kernel, entry = suite.kernels()[result["kernel"]], result["ways"].get(way)
    return kernel.flops(result["size"]) / entry["median"] * 1e-9 if kernel.flops and entry else None


def number(value, digits=2):
    return f"{value:.{digits}f}" if value is not None else "-"


def cell(result, way):
    entry = result["ways"].get(way)
    if not entry:
        return "failed" if way in result["problems"] else "-"
    # Rivals may round differently (gcc contracts more); that is marked, and is no failure. OpenBLAS always does.
    rounded = "~" if way != OPENBLAS and not entry["identical"] else ""
    same_code = "=" if way == LOOPWRIGHT and not result["changed"] else ""
    return number(entry["ratio"]) + rounded + same_code


def rows(results, ways):
    """The table: a heading, then lines of cells."""
    share = [f"ours/{OPENBLAS}"] if OPENBLAS in ways else []
    yield ["kernel", "size", "clang ms", *ways, *share, "GFlop/s", "compile", "what was done"]
    for r in losses_first(results):
        clang, ours = r["ways"].get(REFERENCE), r["ways"].get(LOOPWRIGHT)
        time = number(clang["median"] * 1e3) if clang else "failed"
        compilation = f"{ours['compile_seconds'] / clang['compile_seconds']:.1f}x" if clang and ours else "-"
        blas = [number(of_openblas(r))] if share else []
        rate = number(gflops(r, LOOPWRIGHT), 1)
        yield [r["kernel"], str(r["size"]), time, *(cell(r, way) for way in ways), *blas, rate, compilation, r["done"]]


def means(results, ways):
    """Geometric means by group."""
    ways = [*ways, BEST_POLLY]
    yield ["geometric mean", "kernels", *ways]
    for title, members in groups(results).items():
        yield [title, str(len(members)), *(number(mean_ratio(members, way)) for way in ways)]


def remarks_on(results):
    """Lines about losses, and about predictions."""
    found = losses(results)
    yield f"losses (changed, and below {NEVER_SLOWER} of clang): {len(found) or 'none'}"
    for r in found:
        yield f"  {r['kernel']}: {number(ratio(r, LOOPWRIGHT))}: {r['done']}"
    correlation, count = rank_correlation(results)
    yield f"rank correlation of predicted and measured speed-up: {number(correlation)} (Spearman, {count} kernels with one prediction)"


LEGEND = (
    "Ratios: clang's time over the time of each; ~ marks results that are not clang's bit for bit, = the same machine code as clang's, whose ratio "
    "is the noise of the measurement. ours/openblas: the speed of "
    "loopwright as a part of that of OpenBLAS's routine, where it has one. Means are over the kernels that a way was measured with; best polly: "
    "that of Polly's ways which is best for each."
)


def aligned(lines, width):
    """Columns side by side: names and what was done to the left, numbers to the right."""
    lines = list(lines)
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]) - 1)]
    for line in lines:
        text = "  ".join(c.ljust(w) if k == 0 else c.rjust(w) for k, (c, w) in enumerate(zip(line, widths, strict=False)))
        yield f"{text}  {line[-1]}"[:width]


def markdown(lines):
    lines = list(lines)
    yield "| " + " | ".join(lines[0]) + " |"
    yield "|" + "|".join([" --- "] + [" ---: "] * (len(lines[0]) - 1)) + "|"
    for line in lines[1:]:
        yield "| " + " | ".join(c.replace("|", "\\|") for c in line) + " |"


def tables(report):
    """All tables that there are data for, each as a list of lines of cells."""
    results, ways = report["results"], report["ways"]
    if results:
        yield list(means(results, ways))
        yield list(rows(results, ways))
    for sweep in report["sweeps"].values():
        yield list(sweep_rows(sweep, ways))
    if report["ranks"]:
        yield list(ranks.rows(report["ranks"]))


def remarks(report):
    """Lines about everything."""
    if report["results"]:
        yield from remarks_on(report["results"])
    yield from ranks.summary(report["ranks"])


def legends(report):
    """What the tables say."""
    if report["results"] or report["sweeps"]:
        yield LEGEND
    if report["ranks"]:
        yield ranks.LEGEND


def as_text(report, width):
    blocks = ["\n".join(aligned(lines, width)) for lines in tables(report)]
    return "\n\n".join([*blocks, "\n".join([*remarks(report), *legends(report)])])


def sweep_rows(results, ways):
    """One kernel at several sizes: GFlop/s, or ratios where no operations are counted."""
    counted = gflops(results[0], REFERENCE) is not None
    shown = [w for w in [REFERENCE, *ways] if any(w in r["ways"] for r in results) and (counted or w != REFERENCE)]
    yield [results[0]["kernel"], *shown, "GFlop/s" if counted else "ratio to clang"]
    for r in results:
        values = [number(gflops(r, way), 1) if counted else cell(r, way) for way in shown]
        yield [str(r["size"]), *values, ""]


def as_markdown(report, pictures):
    yield f"# {report['processor']}"
    yield ""
    yield f"Measured by `scripts/bench.sh` on {report['date'][:10]}, commit {report['commit']}, {report['clang']}."
    yield f"One core, medians of at most {report['rounds']} rounds of all ways in turn."
    yield ""
    yield "\n\n".join(legends(report))
    yield ""
    yield from (f"![{name}]({name}.svg)" for name in pictures)
    for lines in tables(report):
        yield ""
        yield from markdown(lines)
    yield ""
    yield from (f"* {line.strip()}" for line in remarks(report))
