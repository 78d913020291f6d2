"""Reproduces the paper's figures and draws a calibration figure per data set, from the results of bench/paper/run.

    bench/paper/figures                         into docs/pictures, from build/paper.jsonl
    bench/paper/figures --out FILE --to FOLDER  from other results, into another folder

Figure 1 is a process in one dimension (process_figure.py). The others show test accuracy against seconds of training,
with the panels of the paper: small, medium and big data sets and a8a. A cross marks the final result of a method in
the paper (2016 laptop, NumPy). Sets without results are labelled "not run".
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from bench.paper.cells import BEYOND, DATA_SETS, METHODS
from bench.paper.process_figure import draw_inducing, draw_process
from bench.paper.session import RESULTS
from bench.support import lines
from bench.support.lines import Record
from bench.support.pictures import STYLE, calibration_panel, legend_below, save
from bench.support.settings import INDUCE, ROOT

FIGURES = {
    "paper_small": ("german", "svmguide1"),
    "paper_medium": ("magic", "ijcnn1"),
    "paper_big": ("cod-rna", "skin_nonskin"),
    "paper_a8a": ("a8a",),
}
COLOURS = {name: f"C{i}" for i, name in enumerate((*METHODS, *BEYOND))}
Found = dict[tuple[str, str], Record]


def results(path: Path, seed: int) -> Found:
    """The last usable record of each (set, method) with this seed."""
    usable = (row for row in lines.read(path) if row["seed"] == seed and "test" in row["result"])
    return lines.last_by(usable, "set", "method")  # type: ignore[return-value]


def names(found: Found, data: str) -> list[str]:
    return [method for method in (*METHODS, *BEYOND) if (data, method) in found]


def title(found: Found, data: str) -> str:
    for (name, method), record in found.items():
        if name == data and method != "auto":
            return f"{data}, n = {record['result']['n']}, d = {record['result']['d']}, m = {record['result']['m']}"
    return f"{data}, m = {DATA_SETS[data].inducing}"


def label(record: Record) -> str:
    chosen = record.get("search")
    return record["method"] + (f" (after {chosen['seconds']:.0f} s of search)" if chosen else "")


def draw_curves(axes: Axes, found: Found, data: str) -> None:
    for method in names(found, data):
        record, colour = found[data, method], COLOURS[method]
        end = [record["result"]["seconds"], 0.0, record["result"]["test"]["accuracy"]]
        points = [*record.get("curve", []), end]
        axes.plot([point[0] for point in points], [point[2] for point in points], color=colour, lw=1)
        axes.plot(end[0], end[2], "o-", color=colour, ms=4, lw=1, label=label(record))
    cell = DATA_SETS[data]
    for method in METHODS:
        axes.plot(cell.seconds[method], cell.accuracy[method], "x", color=COLOURS[method], ms=6)
    if not names(found, data):
        axes.text(0.5, 0.5, "not run", transform=axes.transAxes, ha="center")
    ends = [found[data, method]["result"]["test"]["accuracy"] for method in names(found, data)]
    ends += cell.accuracy.values()
    spread = max(ends) - min(ends)
    axes.set(xscale="log", ylim=(min(ends) - spread, max(ends) + 0.3 * spread))
    axes.set(title=title(found, data), xlabel="seconds (x: end in the paper)", ylabel="accuracy on test rows")
    if names(found, data):
        legend_below(axes)


def draw_calibration(axes: Axes, found: Found, data: str) -> None:
    shown = [(method, found[data, method]) for method in names(found, data)]
    calibration_panel(
        axes,
        data,
        [(method, COLOURS[method], r.get("calibration", []), r["result"]["test"]["ece"]) for method, r in shown],
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/paper/figures", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=RESULTS, help="results file")
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "pictures")
    parser.add_argument("--induce", type=Path, default=INDUCE)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    found = results(args.out, args.seed)
    if not found:
        print(f"{args.out}: no results; run bench/paper/run first", file=sys.stderr)
        return 1
    args.to.mkdir(parents=True, exist_ok=True)
    plt.rcParams.update(STYLE)
    figure, panels = plt.subplots(1, 2, figsize=(8.4, 3.2))
    draw_process(panels[0])
    draw_inducing(panels[1], args.induce)
    save(figure, args.to / "paper_process.svg")
    for name, sets in FIGURES.items():
        if not any(names(found, data) for data in sets):
            print(f"{name}: not drawn, no results for {', '.join(sets)}")
            continue
        figure, panels = plt.subplots(1, len(sets), figsize=(4.2 * len(sets), 4.0), squeeze=False)
        for axes, data in zip(panels[0], sets, strict=True):
            draw_curves(axes, found, data)
        save(figure, args.to / f"{name}.svg")
    for data in DATA_SETS:
        if names(found, data):
            figure, axes = plt.subplots(figsize=(3.6, 4.4))
            draw_calibration(axes, found, data)
            save(figure, args.to / f"calibration_{data}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
