"""Prints the tables of results from the records of bench/results/run and bench/results/seeds.

    bench/results/table            the first table of docs/results.md: every library on every set, in one run
    bench/results/table --seeds    the default fit of induce with seeds 0 to 4
    bench/results/table --short    that of the README: these, the best other GP library, LightGBM and CatBoost
    bench/results/pages            writes all of them into the pages

Gaussian process libraries: the best test NLL of the run, when it was reached, and how much sooner induce reached it
(with the same m, with defaults). Others: NLL and time at the end of training. Bold: better than induce with defaults,
in the README than its mean.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.peers.tables import FAILED, by_set_and_peer, markdown, number, speed_up, title, versions
from bench.results.seed_tables import Fits, fits_of, origin, seconds, seeds_table
from bench.results.seeds import RECORD as SEEDS
from bench.support import lines
from bench.support.lines import Record
from bench.support.origin import machines
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


def best_gaussian(found: Cells, data: str) -> tuple[str, Record] | None:
    """The Gaussian process library with the best test NLL of its run, and that point."""
    rivals = {peers_of(column, data): column for column in GAUSSIAN} if data in EVERY_INDUCING else {}
    ran = [found[data, peer] for peer in rivals if found.get((data, peer), {}).get("best")]
    if not ran:
        return None
    best = min(ran, key=lambda record: record["best"]["nll"])
    return rivals[best["peer"]].partition(",")[0], best["best"]


def other_of(found: Cells, adult: dict[str, Record], data: str, column: str) -> Record | None:
    return adult.get(column) if data == "adult" else found.get((data, OTHERS[column]))


def end_nll(record: Record | None) -> float:
    return (record.get("final") or record)["nll"] if record else float("inf")


def short_row(found: Cells, adult: dict[str, Record], data: str, own: Fits) -> list[str]:
    ours, rival = own.mean("nll"), "-"
    if best := best_gaussian(found, data):
        name, point = best
        rival = f"{bold(point['nll'], ours)} at {seconds(point['seconds'])} ({name})"
    kind = ", texts and gaps" if data == "adult" else "" if data in INDUCING else ", many classes"
    others = [end_cell(other_of(found, adult, data, column), ours) for column in ("LightGBM", "CatBoost")]
    return [f"{data}{kind}", f"{own.nll} in {own.seconds}", rival, *others]


def short(found: Cells, adult: dict[str, Record], seeds: list[Record]) -> str:
    """The sets whose seeds are in the record, and a paragraph about the columns."""
    own = fits_of(seeds)
    head = ["test NLL", "induce, defaults", "best other GP library", "LightGBM", "CatBoost"]
    table = markdown(head, [short_row(found, adult, data, fits) for data, fits in own.items()])
    better = [
        f"{column} on {data} ({number(nll)})"
        for data, fits in own.items()
        for column in ("XGBoost", "logistic regression")
        if (nll := end_nll(other_of(found, adult, data, column))) < fits.mean("nll")
    ]
    so_is = f" So {'are' if len(better) > 1 else 'is'} {', '.join(better)}." if better else ""
    ran = [*found.values(), *adult.values()]
    days = " to ".join(dict.fromkeys((min(row["run"] for row in ran)[:10], max(row["run"] for row in ran)[:10])))
    return (
        f"{table}\n\nTest NLL: lower is better. **Bold: better than the mean of induce.**{so_is} induce: mean ±"
        f" standard deviation and mean time of seeds 0 to 4, `bench/results/seeds`, {origin(own)}. Other columns:"
        f" `bench/results/run`, {days}, {machines(ran)}."
    )


def whole(found: Cells, adult: dict[str, Record]) -> str:
    head = ["data", "induce, same m", "induce, defaults", *GAUSSIAN, *OTHERS]
    body = rows(found) + ([adult_row(adult)] if adult else [])
    return markdown(head, body)


def first(sets: list[Record], adult: dict[str, Record]) -> str:
    """The first table of docs/results.md with its run."""
    limit = {record["set"]: record["max_time"] for record in sets}
    limits = ", ".join(f"{data} {limit[data]:g}" for data in EVERY_INDUCING if data in limit)
    commits = ", ".join(sorted({record["commit"] for record in [*sets, *adult.values()]}))
    last = f"Time limits in seconds: {limits}. Versions: {versions(sets)}. Commit of induce: {commits}."
    return f"{title(sets)}\n\n{whole(by_set_and_peer(sets), adult)}\n\n{last}"


def records() -> tuple[list[Record], dict[str, Record]]:
    """Those of the sets, and those of adult by library."""
    mixed = [record for record in lines.read(ADULT) if record["removed"] == 0]
    return lines.read(RECORDS), {peer: record for (peer,), record in lines.last_by(mixed, "peer").items()}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/results/table", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true", help="the table of the README")
    parser.add_argument("--seeds", action="store_true", help="the default fit with seeds 0 to 4")
    parser.add_argument("--record", type=Path, default=SEEDS, help="of bench/results/seeds")
    args = parser.parse_args()
    (sets, adult), seeds = records(), lines.read(args.record)
    if (args.short or args.seeds) and not fits_of(seeds):
        print(f"{args.record}: no set has all seeds; run bench/results/seeds first", file=sys.stderr)
        return 1
    if not sets and not args.seeds:
        print(f"{RECORDS.relative_to(ROOT)}: no results; run bench/results/run first", file=sys.stderr)
        return 1
    if args.seeds:
        print(seeds_table(seeds))
    else:
        print(short(by_set_and_peer(sets), adult, seeds) if args.short else first(sets, adult))
    return 0


if __name__ == "__main__":
    sys.exit(main())
