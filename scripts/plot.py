"""Pictures of a run of bench.py, as SVG: speed against size, a roofline, ratios as bars. No library is needed.

    python3 scripts/plot.py results/PROCESSOR/bench.json FOLDER
"""

import html
import json
import math
import pathlib
import sys

import ranks
import suite
import table
from ways import LOOPWRIGHT, REFERENCE

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 460, 70, 150, 40, 55
COLOURS = {
    REFERENCE: "#666666",
    LOOPWRIGHT: "#c0392b",
    "polly": "#2e86c1",
    "polly early": "#85c1e9",
    "polly tiled": "#1b4f72",
    "gcc": "#27ae60",
    "openblas": "#8e44ad",
}


class Axis:
    """From values to places."""

    def __init__(self, values, first, last, logarithmic):
        self.first, self.last, self.log = first, last, logarithmic
        low, high = min(values), max(values)
        if logarithmic:
            self.low, self.high = math.log10(low) - 0.05, math.log10(high) + 0.05
        else:
            self.low, self.high = 0.0, high * 1.05 or 1.0

    def place(self, value):
        value = math.log10(value) if self.log else value
        return self.first + (value - self.low) / (self.high - self.low) * (self.last - self.first)

    def ticks(self):
        if self.log:
            powers = range(math.floor(self.low), math.ceil(self.high) + 1)
            marks = (1, 2, 5) if self.high - self.low < 2.5 else (1,)
            return [m * 10.0**p for p in powers for m in marks if self.low <= math.log10(m * 10.0**p) <= self.high]
        step = 10.0 ** math.floor(math.log10(self.high / 2))
        step = next(step * m for m in (1, 2, 5, 10) if self.high / (step * m) <= 8)
        return [k * step for k in range(int(self.high / step) + 1)]


class Picture:
    """Marks on a pair of axes."""

    def __init__(self, title, x, y, height=HEIGHT):
        self.x, self.y, self.height = x, y, height
        self.marks = [f'<text x="{WIDTH / 2}" y="22" text-anchor="middle" font-size="15">{html.escape(title)}</text>']

    def text(self, x, y, words, anchor="start", colour="#222222", more=""):
        self.marks.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" {more}>{html.escape(words)}</text>')

    def line(self, points, colour, width=1.0, more=""):
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.marks.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{width}" {more}/>')

    def dot(self, x, y, colour, title=""):
        self.marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{html.escape(title)}</title></circle>')

    def axes(self, x_title, y_title):
        bottom = self.height - BOTTOM
        for value in self.x.ticks():
            at = self.x.place(value)
            self.line([(at, TOP), (at, bottom)], "#e5e5e5")
            self.text(at, bottom + 16, f"{value:g}", "middle")
        for value in self.y.ticks() if self.y else []:
            at = self.y.place(value)
            self.line([(LEFT, at), (WIDTH - RIGHT, at)], "#e5e5e5")
            self.text(LEFT - 6, at + 4, f"{value:g}", "end")
        self.text((LEFT + WIDTH - RIGHT) / 2, bottom + 38, x_title, "middle")
        self.text(16, (TOP + bottom) / 2, y_title, "middle", more=f'transform="rotate(-90 16 {(TOP + bottom) / 2:.1f})"')

    def legend(self, names):
        for k, name in enumerate(names):
            y = TOP + 10 + 18 * k
            self.line([(WIDTH - RIGHT + 12, y), (WIDTH - RIGHT + 34, y)], COLOURS.get(name, "#000000"), 2.5)
            self.text(WIDTH - RIGHT + 40, y + 4, name)

    def svg(self):
        head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{self.height}" font-family="sans-serif" font-size="11">'
        return "\n".join([head, f'<rect width="{WIDTH}" height="{self.height}" fill="#ffffff"/>', *self.marks, "</svg>\n"])


def frame(title, xs, ys, log_x, log_y):
    return Picture(title, Axis(xs, LEFT, WIDTH - RIGHT, log_x), Axis(ys, HEIGHT - BOTTOM, TOP, log_y))


def speed(results, ways):
    """One kernel against its size: GFlop/s where operations are counted, else ratios to clang."""
    counted = table.gflops(results[0], REFERENCE) is not None
    value = table.gflops if counted else table.ratio
    curves = {w: [(r["size"], v) for r in results if (v := value(r, w))] for w in [REFERENCE, *ways]}
    points = [p for curve in curves.values() for p in curve]
    picture = frame(results[0]["kernel"], [x for x, _ in points], [y for _, y in points], True, False)
    picture.axes("size n", "GFlop/s" if counted else "ratio to clang")
    for way, curve in curves.items():
        places = [(picture.x.place(x), picture.y.place(y)) for x, y in curve]
        picture.line(places, COLOURS.get(way, "#000000"), 2)
        for (x, y), (size, v) in zip(places, curve, strict=True):
            picture.dot(x, y, COLOURS.get(way, "#000000"), f"{way}, n = {size}: {v:.2f}")
    picture.legend([way for way, curve in curves.items() if curve])
    return picture.svg()


def roofline(results, peaks):
    """Operations for each byte that has to be moved at least, against speed, under what the core can do."""
    points = []
    for r in results:
        kernel = suite.kernels()[r["kernel"]]
        if kernel.flops and kernel.bytes:
            intensity = kernel.flops(r["size"]) / kernel.bytes(r["size"])
            points += [(intensity, v, w, r["kernel"]) for w in (REFERENCE, LOOPWRIGHT) if (v := table.gflops(r, w))]
    xs = [x for x, *_ in points] + [0.05]
    top = peaks["gflops"] * 2
    picture = frame("Roofline", xs, [v for _, v, *_ in points] + [top], True, True)
    picture.axes("operations a byte, if every cell is moved once", "GFlop/s")
    roofs = [("f32", top, None), ("f64", peaks["gflops"], None)]
    roofs += [(name, None, peaks[name]) for name in ("cache", "memory")]
    left, right = 10.0**picture.x.low, 10.0**picture.x.high
    for name, flat, bandwidth in roofs:
        start = left if flat is None else max(left, flat / peaks["cache"])
        end = right if flat is not None else min(right, top / bandwidth)
        least = 10.0**picture.y.low
        start = max(start, least / bandwidth) if bandwidth else start
        places = [(picture.x.place(x), picture.y.place(flat or x * bandwidth)) for x in (start, end) if start < end]
        picture.line(places, "#999999", 1.5, 'stroke-dasharray="5 3"')
        unit = f"{flat:.0f} GFlop/s" if flat else f"{bandwidth:.0f} GB/s"
        if places:
            x, y = places[-1] if flat else places[0]
            picture.text(x + (-4 if flat else 6), y - 6, f"{name} {unit}", "end" if flat else "start", "#777777")
    for intensity, value, way, name in points:
        picture.dot(picture.x.place(intensity), picture.y.place(value), COLOURS[way], f"{name}, {way}: {value:.1f}")
    picture.legend([REFERENCE, LOOPWRIGHT])
    return picture.svg()


def judgements(results):
    """Predicted against measured time, as parts of clang's, of all choices of all kernels; those without options in colour."""
    points = [(c["predicted"], c["measured"], r["kernel"], c["names"]) for r in results for c in r["choices"] if c["names"] != [REFERENCE]]
    picture = frame("Predicted and measured time", [x for x, *_ in points], [y for _, y, *_ in points], True, True)
    picture.axes("predicted time, clang's is 1", "measured time, clang's is 1")
    low, high = max(picture.x.low, picture.y.low), min(picture.x.high, picture.y.high)
    if low < high:
        picture.line([(picture.x.place(10.0**v), picture.y.place(10.0**v)) for v in (low, high)], "#999999", 1.5, 'stroke-dasharray="5 3"')
    for predicted, measured, kernel, names in points:
        colour = COLOURS[LOOPWRIGHT if ranks.AUTO in names else REFERENCE]
        title = f"{kernel}, {names[0]}: predicted {predicted:.3g}, measured {measured:.3g}"
        picture.dot(picture.x.place(predicted), picture.y.place(measured), colour, title)
    return picture.svg()


def bars(results):
    """The ratio of every kernel to clang, the worst first."""
    entries = [(r["kernel"], table.ratio(r, LOOPWRIGHT)) for r in table.losses_first(results) if table.ratio(r, LOOPWRIGHT)]
    height = TOP + BOTTOM + 13 * len(entries)
    left = LEFT + 90
    axis = Axis([v for _, v in entries] + [0.5, 2.0], left, WIDTH - RIGHT + 90, True)
    picture = Picture("Times as fast as clang", axis, None, height)
    picture.axes("ratio to clang", "")
    for k, (name, value) in enumerate(entries):
        y = TOP + 13 * k + 7
        ends = sorted((axis.place(1.0), axis.place(value)))
        colour = COLOURS[LOOPWRIGHT] if value < table.NEVER_SLOWER else "#7f9f7f"
        picture.marks.append(f'<rect x="{ends[0]:.1f}" y="{y - 5}" width="{max(ends[1] - ends[0], 0.5):.1f}" height="10" fill="{colour}"/>')
        picture.text(left - 6, y + 4, name, "end")
        picture.text(axis.place(max(value, 1.0)) + 4, y + 4, f"{value:.2f}", colour="#555555")
    picture.line([(axis.place(1.0), TOP), (axis.place(1.0), height - BOTTOM)], "#222222")
    return picture.svg()


def draw(report, folder):
    """Writes all pictures that the report has data for; their names."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {}
    if report["results"]:
        pictures["ratios"] = bars(report["results"])
    if report["peaks"] and any(table.gflops(r, LOOPWRIGHT) for r in report["results"]):
        pictures["roofline"] = roofline(report["results"], report["peaks"])
    for name, results in report["sweeps"].items():
        pictures[f"speed-{name}"] = speed(results, report["ways"])
    if any(c["names"] != [REFERENCE] for r in report.get("ranks", ()) for c in r["choices"]):
        pictures["predictions"] = judgements(report["ranks"])
    for name, svg in pictures.items():
        (folder / f"{name}.svg").write_text(svg)
    return list(pictures)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print("\n".join(draw(json.loads(pathlib.Path(sys.argv[1]).read_text()), pathlib.Path(sys.argv[2]))))
