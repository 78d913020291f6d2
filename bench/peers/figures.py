"""Draws the figures of the comparison with other libraries, from the results of bench/peers/run.

    bench/peers/figures                         into docs/pictures, from the newest run
    bench/peers/figures --out FILE --to FOLDER  from other results, into another folder
    bench/peers/figures --classes               of the sets with many classes

peers_time.svg: test NLL against seconds of training, one panel per set; a dot marks a library's best result.
peers_calibration.svg: observed frequency against predicted probability at the end of each fit.
classes_calibration.svg: the same for the predicted class of three or more.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

from bench.peers.peers import CLASSES_PEERS, OURS, PEERS
from bench.peers.session import RESULTS
from bench.support import lines
from bench.support.lines import Record
from bench.support.pictures import STYLE, calibration_panel, save
from bench.support.settings import CLASSES_INDUCING, INDUCING, ROOT

SHADES = ("C0", "C9", "navy", "C2", "C8", "C5", "C6", "plum", "C1", "gold", "brown", "C4")
OWN = {"induce": "black", "induce-plain": "0.6", "induce-auto": "red"}
COLOURS = dict(zip(CLASSES_PEERS, SHADES, strict=False)) | dict(zip(PEERS, SHADES, strict=True)) | OWN
CALIBRATED = (
    *("induce-auto", "gpflow-adam", "gpytorch-adam", "gpboost-fitc"),
    *("lightgbm", "xgboost", "catboost", "logistic"),
)
CLASSES_CALIBRATED = ("induce-auto", "induce", *CLASSES_PEERS)
Found = dict[tuple[str, str], Record]


def newest(path: Path, seed: int) -> Found:
    """The records of the newest run that have a result, by set and library."""
    records = lines.read(path)
    if not records:
        return {}
    run = records[-1]["run"]
    usable = (row for row in records if row["run"] == run and row["seed"] == seed and row.get("best"))
    return lines.last_by(usable, "set", "peer")  # type: ignore[return-value]


def draw_time(axes: Axes, found: Found, data: str) -> None:
    best = {who: found[data, who]["best"] for who in (*OURS, *PEERS) if (data, who) in found}
    axes.set(title=f"{data}, m = {INDUCING[data]}", xlabel="seconds of training", ylabel="NLL on test rows")
    if not best:
        axes.text(0.5, 0.5, "not run", transform=axes.transAxes, ha="center")
        return
    for who, at in best.items():
        points = [*found[data, who]["curve"], [at["seconds"], at["nll"]]]
        points = sorted(point[:2] for point in points if point[1] is not None)
        width = 1.6 if who in OURS else 0.9
        axes.plot([p[0] for p in points], [p[1] for p in points], color=COLOURS[who], lw=width)
        axes.plot(at["seconds"], at["nll"], "o", color=COLOURS[who], ms=4, label=who)
    levels = sorted(at["nll"] for at in best.values())
    lowest, middle = levels[0], levels[len(levels) // 2]
    axes.set(xscale="log", ylim=(lowest - 0.15 * (middle - lowest), lowest + 4 * (middle - lowest)))


def draw_calibration(axes: Axes, found: Found, data: str, libraries: tuple[str, ...] = CALIBRATED) -> None:
    curves = []
    for who in libraries:
        if (data, who) in found:
            final = found[data, who]["final"]
            curves.append((who, COLOURS[who], final["calibration"], final["ece"]))
    calibration_panel(axes, data, curves)


def draw_classes(found: Found, to: Path) -> None:
    figure, panels = plt.subplots(1, len(CLASSES_INDUCING), figsize=(8.5, 5.6))
    for axes, data in zip(panels, CLASSES_INDUCING, strict=True):
        draw_calibration(axes, found, data, CLASSES_CALIBRATED)
        axes.set(xlabel="probability of the predicted class", ylabel="accuracy")
    save(figure, to / "classes_calibration.svg")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/peers/figures", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=RESULTS, help="results file")
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "pictures")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--classes", action="store_true", help="the sets with many classes")
    args = parser.parse_args()
    found = newest(args.out, args.seed)
    if not found:
        print(f"{args.out}: no results; run bench/peers/run first", file=sys.stderr)
        return 1
    args.to.mkdir(parents=True, exist_ok=True)
    plt.rcParams.update(STYLE)
    if args.classes:
        draw_classes(found, args.to)
        return 0
    for name, draw, height in (("peers_time", draw_time, 6.0), ("peers_calibration", draw_calibration, 9.0)):
        figure, grid = plt.subplots(2, 4, figsize=(15, height))
        panels = list(grid.flat)
        for axes, data in zip(panels, INDUCING, strict=False):
            draw(axes, found, data)
        panels[-1].axis("off")
        if draw is draw_time:
            drawn = (zip(*axes.get_legend_handles_labels(), strict=True) for axes in panels)
            known = {label: line for pairs in drawn for line, label in pairs}
            panels[-1].legend(known.values(), known.keys(), loc="center", frameon=False)
        save(figure, args.to / f"{name}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
