"""Prints the first table of docs/results.md from the records of bench/results/run.

    bench/results/table            every library on every set
    bench/results/table --short    that of the README: the best other Gaussian process library, LightGBM and CatBoost

Gaussian process libraries: the best test NLL of the run, when it was reached, and how much sooner induce reached it
(with the same m, with defaults). Others: NLL and time at the end of training. Bold: better than induce with defaults.
"""

from __future__ import annotations

import argparse
import sys

from bench.peers.tables import FAILED, by_set_and_peer, markdown, number, speed_up, title, versions
from bench.support import lines
from bench.support.lines import Record
from bench.support.settings import CLASSES_INDUCING, EVERY_INDUCING, INDUCING, ROOT

RECORDS, ADULT = (ROOT / "docs" / "records" / name for name in ("results.jsonl", "adult.jsonl"))
GAUSSIAN = {  # columns: the peers of sets with two and with many classes
    "GPflow": ("gpflow-adam", "gpflow-softmax"),
    "GPyTorch": ("gpytorch-adam", "gpytorch-softmax"),
    "GPyTorch, natural gradients": ("gpytorch-natgrad", ""),
    "GPBoost": ("gpboost-fitc", ""),
    "scikit-learn's GPC": ("sklearn-gpc", ""),
}
OTHERS = {"LightGBM": "lightgbm", "XGBoost": "xgboost", "CatBoost": "catboost", "logistic regression": "logistic"}
Cells = dict[tuple[str, str], Record]


def seconds(value: float) -> str:
    return f"{value:.0f} s" if value >= 10 else f"{value:.2g} s"


def bold(nll: float, ours: float) -> str:
    return f"**{number(nll)}**" if nll < ours else number(nll)


def gaussian_cell(found: Cells, data: str, peer: str) -> str:
    """The best of a run, its time, and how much sooner induce reached it."""
    record = found.get((data, peer))
    if record is None or record["status"] == "not run":
        return "-"
    if not record.get("best"):
        return f"none ({record['status']})"
    own, auto, best = found[data, "induce"], found[data, "induce-auto"], record["best"]
    failed = f", then {record['status']}" if record["status"] in FAILED else ""
    nll = bold(best["nll"], auto["final"]["nll"])
    return f"{nll} at {seconds(best['seconds'])}{failed} ({speed_up(own, best)}, {speed_up(auto, best)})"


def end_cell(record: Record | None, ours: float) -> str:
    """NLL and time at the end of training."""
    if record is None:
        return "-"
    final = record.get("final") or record
    return f"{bold(final['nll'], ours)} in {seconds(record['seconds'])}"


def own_end(record: Record) -> str:
    limit = ", limit" if record["status"] == "budget" else ""
    return f"{number(record['final']['nll'])} in {seconds(record['seconds'])}{limit}"


def peers_of(column: str, data: str) -> str:
    return GAUSSIAN[column][data in CLASSES_INDUCING]


def rows(found: Cells) -> list[list[str]]:
    body = []
    for data, m in EVERY_INDUCING.items():
        own, auto = found.get((data, "induce")), found.get((data, "induce-auto"))
        if not own or not auto:
            continue
        ours = auto["final"]["nll"]
        cells = [gaussian_cell(found, data, peers_of(column, data)) for column in GAUSSIAN]
        others = [end_cell(found.get((data, peer)), ours) for peer in OTHERS.values()]
        body.append([f"{data}, m = {m}", own_end(own), own_end(auto), *cells, *others])
    return body


def adult_row(adult: dict[str, Record]) -> list[str]:
    ours = adult["induce"]["nll"]
    others = [end_cell(adult.get(name), ours) for name in OTHERS]
    return ["adult, texts and gaps", "-", end_cell(adult["induce"], ours), *["-"] * len(GAUSSIAN), *others]


def short_row(found: Cells, data: str) -> list[str]:
    auto = found[data, "induce-auto"]
    ours = auto["final"]["nll"]
    rivals = {peers_of(column, data): column for column in GAUSSIAN}
    ran = [found[data, peer] for peer in rivals if found.get((data, peer), {}).get("best")]
    rival = ["-", "-"]
    if ran:
        best = min(ran, key=lambda record: record["best"]["nll"])
        point = best["best"]
        name = rivals[best["peer"]].partition(",")[0]
        nll = bold(point["nll"], ours)
        rival = [f"{nll} at {seconds(point['seconds'])} ({name})", speed_up(auto, point)]
    return [
        data if data in INDUCING else f"{data}, many classes",
        own_end(auto),
        *rival,
        *(end_cell(found.get((data, peer)), ours) for peer in ("lightgbm", "catboost")),
    ]


def short(found: Cells, adult: dict[str, Record]) -> str:
    head = ["test NLL", "induce, defaults", "best other GP library", "speed-up to equal NLL", "LightGBM", "CatBoost"]
    body = [short_row(found, data) for data in EVERY_INDUCING if (data, "induce-auto") in found]
    if adult:
        ours = adult["induce"]["nll"]
        cells = [end_cell(adult[name], ours) for name in ("induce", "LightGBM", "CatBoost")]
        body.append(["adult, texts and gaps", cells[0], "-", "-", *cells[1:]])
    return markdown(head, body)


def whole(found: Cells, adult: dict[str, Record]) -> str:
    head = ["data", "induce, same m", "induce, defaults", *GAUSSIAN, *OTHERS]
    body = rows(found) + ([adult_row(adult)] if adult else [])
    return markdown(head, body)


def records() -> tuple[list[Record], dict[str, Record]]:
    """Those of the sets, and those of adult by library."""
    mixed = [record for record in lines.read(ADULT) if record["removed"] == 0]
    return lines.read(RECORDS), {peer: record for (peer,), record in lines.last_by(mixed, "peer").items()}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/results/table", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true", help="the table of the README")
    args = parser.parse_args()
    sets, adult = records()
    if not sets:
        print(f"{RECORDS.relative_to(ROOT)}: no results; run bench/results/run first", file=sys.stderr)
        return 1
    found = by_set_and_peer(sets)
    if args.short:
        print(short(found, adult))
        return 0
    limit = {record["set"]: record["max_time"] for record in sets}
    limits = ", ".join(f"{data} {limit[data]:g}" for data in EVERY_INDUCING if data in limit)
    commits = ", ".join(sorted({record["commit"] for record in [*sets, *adult.values()]}))
    print(title(sets), whole(found, adult), sep="\n\n")
    print(f"\nTime limits in seconds: {limits}. Versions: {versions(sets)}. Commit of induce: {commits}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
