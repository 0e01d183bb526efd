"""Predicted cost against measured time: kernels as the plugin compiles them when it is made to choose otherwise, well and badly, and whether its cost model knows
which is which. All times are parts of those of clang's program."""

import dataclasses
import re
import statistics
import time

import measure
from ways import MOST_RUNS, REFERENCE, SECONDS_IN_PROCESS

AUTO = "auto"
# Names of choices and the options that lead to them. Where time is short the first ones are taken.
CHOICES = {
    AUTO: [],
    "kernels": ["policy=kernels"],
    "force": ["policy=force"],
    **{f"random {seed}": ["policy=random", f"seed={seed}"] for seed in range(1, 4)},
    **{f"tile {size}": ["policy=force", f"tile={size}"] for size in ("32", "64x256", "8")},
    **{f"fuse {fuse}": [f"fuse={fuse}"] for fuse in ("off", "lazy", "eager")},
    **{f"random {seed}": ["policy=random", f"seed={seed}"] for seed in range(4, 10)},
}
FEWEST = 4  # distinct choices that a correlation is made of
SLOWEST = 20.0  # no choice is waited for longer than this; it counts as if it took so long
STARTING = 2.0  # seconds that a process may take besides
COMPILING = 0.5  # the part of a limited time after which no more choices are compiled
CLOSE = 0.1  # a choice is as good as the best one if it takes no more than this longer


@dataclasses.dataclass
class Choice:
    """A program, the choices that lead to it, and the time that it is predicted to take."""

    names: list
    predicted: float
    program: measure.Program
    runs: int = 1


def ranks(values):
    """Equal values share the mean of their ranks."""
    order = sorted(values)
    return [order.index(v) + (order.count(v) - 1) / 2 for v in values]


def spearman(pairs, fewest=3):
    """The rank correlation; None if there are too few pairs, or all values of a side are equal."""
    if len(pairs) < fewest:
        return None
    try:
        return statistics.correlation(*(ranks(side) for side in zip(*pairs, strict=True)))
    except statistics.StatisticsError:
        return None


def predicted(remarks):
    """The predicted time by the remarks of all nests; None if there are none."""
    found = [re.match(r"predicted cycles: (\S+) as in the source, (\S+) as chosen", text) for _, text in remarks]
    source, chosen = (sum(float(pair[side]) for pair in found if pair) for side in (1, 2))
    return chosen / source if source else None


def programs(source, until=None):
    """The choices for a kernel that are different code and that something is predicted of, clang's first; and what failed."""
    plain = measure.compile_kernel(source, measure.CLANG)
    found = {plain.assembly: Choice([REFERENCE], 1.0, measure.assemble(source, f"choice {REFERENCE}", plain))}
    problems = {}
    for name, options in CHOICES.items():
        if until and time.monotonic() > until and len(found) >= FEWEST:
            break
        flags = [flag for option in options for flag in ("-mllvm", f"-loopwright-{option}")]
        try:
            made = measure.compile_kernel(source, [*measure.CLANG, *measure.plugin_flags(), *flags], ("Rpass-analysis",))
            cost = predicted(made.remarks["Rpass-analysis"])
            if made.assembly in found:
                found[made.assembly].names.append(name)
            elif cost is not None:
                found[made.assembly] = Choice([name], cost, measure.assemble(source, f"choice {name}", made))
        except measure.Failure as failure:
            problems[name] = str(failure)
    return list(found.values()), problems


def measure_choices(kernel, source, rounds, until=None):
    """The result for a kernel: rounds of all choices in turn, and when the time is over no more of them, but one of clang's program and the next."""
    start = time.monotonic()
    try:
        choices, problems = programs(source, until and start + (until - start) * COMPILING)
    except measure.Failure as failure:
        return result(kernel, [], {REFERENCE: str(failure)})
    plain, running = choices[0].program, list(choices)
    for number in range(rounds):
        for choice in list(running):
            if until and time.monotonic() > until and (number > 0 or choice not in choices[:2]):
                break
            try:
                if number == 0:
                    choice.runs = first_run(choice.program, kernel.size, waiting(plain))
                else:
                    choice.program.run(kernel.size, choice.runs, limit=waiting(plain, choice.runs))
            except measure.TooLong as failure:
                if not plain.seconds:
                    problems[REFERENCE] = str(failure)
                    break
                choice.program.seconds = [SLOWEST * plain.median()]
                running.remove(choice)
            except measure.Failure as failure:
                problems[choice.names[0]] = str(failure)
                running.remove(choice)
                choice.program.seconds.clear()
            if choice.program.hashes - plain.hashes:
                problems[choice.names[0]] = "other results than clang's"
    return result(kernel, [c for c in choices if c.program.seconds and plain.seconds], problems)


def waiting(plain, runs=1):
    """Seconds that a process is waited for."""
    return min(STARTING + 2 * SLOWEST * plain.median() * runs, measure.LIMIT) if plain.seconds else measure.LIMIT


def first_run(program, size, limit):
    """Runs once, and where that was short, again and more often; how often."""
    program.run(size, 1, limit=limit)
    runs = max(1, min(MOST_RUNS, round(SECONDS_IN_PROCESS / max(program.seconds[-1], 1e-6))))
    if runs > 1:
        program.seconds.clear()
        program.run(size, runs, limit=limit)
    return runs


def result(kernel, choices, problems):
    clang = choices[0].program.median() if choices else None
    measured = [
        {"names": c.names, "predicted": c.predicted, "measured": c.program.median() / clang, "seconds": c.program.seconds} for c in choices
    ]
    pairs = [(c["predicted"], c["measured"]) for c in measured]
    return {"kernel": kernel.name, "size": kernel.size, "choices": measured, "problems": problems, "correlation": spearman(pairs, FEWEST)}


def best(result):
    """The fastest choice."""
    return min(result["choices"], key=lambda c: c["measured"], default=None)


def auto(result):
    """What is chosen without options."""
    return next((c for c in result["choices"] if AUTO in c["names"]), None)


def regret(result):
    """By what part of the time of the best choice the one made without options takes longer."""
    return auto(result)["measured"] / best(result)["measured"] - 1 if auto(result) else None


def worst_pair(result):
    """The choice that was predicted to be faster than another, and took most times as long; and the other. None: there are none."""
    pairs = [(a, b) for a in result["choices"] for b in result["choices"] if a["predicted"] < b["predicted"] and a["measured"] > b["measured"]]
    return max(pairs, key=lambda pair: pair[0]["measured"] / pair[1]["measured"], default=None)


def rows(results):
    """The table: a heading, then lines of cells, the worst correlation first, then kernels without any."""
    yield ["kernel", "choices", "correlation", "auto, predicted", "measured", "best measured", "regret", "most misjudged"]
    for r in sorted(results, key=lambda r: (r["correlation"] is None, r["correlation"] or 0.0)):
        ours, fastest, pair = auto(r), best(r), worst_pair(r)
        correlation = f"{r['correlation']:.2f}" if r["correlation"] is not None else "-"
        times = [f"{ours['predicted']:.3f}", f"{ours['measured']:.3f}"] if ours else ["-", "-"]
        last = f"{fastest['measured']:.3f} ({fastest['names'][0]})" if fastest else "-"
        misjudged = " against ".join(f"{c['names'][0]} {c['predicted']:.3g} -> {c['measured']:.3g}" for c in pair or ())
        yield [r["kernel"], str(len(r["choices"])), correlation, *times, last, f"{regret(r):.0%}" if ours else "-", misjudged]


def summary(results):
    """Lines about all kernels."""
    correlations = [r["correlation"] for r in results if r["correlation"] is not None]
    regrets = [regret(r) for r in results if auto(r)]
    if correlations:
        yield f"median rank correlation of predicted and measured time by kernel: {statistics.median(correlations):.2f} ({len(correlations)} kernels)"
    few = [r["kernel"] for r in results if len(r["choices"]) < FEWEST]
    if few:
        yield f"fewer than {FEWEST} choices that differ, so no correlation: {', '.join(few)}"
    if regrets:
        close = sum(value <= CLOSE for value in regrets)
        yield f"the choice of auto takes at most {CLOSE:.0%} longer than the best one of {close} of {len(regrets)} kernels ({close / len(regrets):.0%})"


LEGEND = (
    "Choices: what the plugin makes of a kernel when policies, seeds, tiles and traversals are asked for, and clang's program; times as parts of clang's. Correlation: Spearman's, of "
    "predicted and measured time. Regret: how much longer auto takes than the best. Most misjudged: predicted -> measured of what was said to be faster against what was. "
    f"Above {SLOWEST:.0f} times clang's time nothing is waited for."
)
