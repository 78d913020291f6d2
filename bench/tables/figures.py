"""Prints the records of bench/tables/run as Markdown. Ratios are of test NLLs, below 1 where induce is better.

    bench/tables/table                            docs/records/tables.jsonl
    bench/tables/table FILE...                    other records; of equal ones, the last is taken
    bench/tables/table FILE... --name NEW --against OLD    also compares two builds of induce

Means are over the folds that all libraries have.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from math import exp, log
from pathlib import Path
from statistics import mean, median

from bench.support import lines
from bench.support.settings import ROOT

RIVALS = ["CatBoost", "LightGBM", "logistic"]  # with their defaults
PEERS = [*RIVALS, "LightGBM, stopped"]
BEHIND, NATS = 0.15, 0.01  # of the best rival: what counts as behind exceeds both
RECORD = ROOT / "docs" / "records" / "tables.jsonl"
SMALLEST = 1e-6  # NLL: below it, ratios mean nothing
Folds = dict[str, lines.Record]  # the records of one table and fold, by library


def ratios(tables: dict[str, list[Folds]], one: str, other: str, what: str = "nll") -> list[float]:
    """For each table, of means over folds."""

    def level(folds: list[Folds], library: str) -> float:
        return max(mean(fold[library][what] for fold in folds), SMALLEST)

    return [level(folds, one) / level(folds, other) for folds in tables.values()]


def geometric(values: list[float]) -> float:
    return exp(mean(map(log, values)))


def compare(tables: dict[str, list[Folds]], name: str, other: str) -> str:
    pairs = [fold for folds in tables.values() for fold in folds]
    won = sum(fold[name]["nll"] < fold[other]["nll"] for fold in pairs)
    own, times = ratios(tables, name, other), ratios(tables, name, other, "processor_seconds")
    return (
        f"| {other} | {sum(ratio < 1 for ratio in own)} of {len(own)} | {won} of {len(pairs)}, "
        f"{won / len(pairs):.0%} "
        f"| {median(own):.3f} | {geometric(own):.3f} | {geometric(times):.2f} |"
    )


def complete(
    records: Iterable[lines.Record], libraries: list[str], only: list[int] | None = None
) -> dict[str, list[Folds]]:
    """For each table the folds that all libraries have."""
    found = lines.last_by(records, "table", "fold", "library")
    tables: dict[str, list[Folds]] = {}
    for table, fold in sorted({key[:2] for key in found}):
        own = {library: found[table, fold, library] for library in libraries if (table, fold, library) in found}
        if len(own) == len(libraries) and fold in (only or [fold]):
            tables.setdefault(table, []).append(own)
    return tables


def levels(folds: list[Folds]) -> dict[str, float]:
    """The mean NLL of each library over the folds of a table."""
    return {library: mean(fold[library]["nll"] for fold in folds) for library in folds[0]}


def behind(tables: dict[str, list[Folds]], name: str) -> dict[str, float]:
    """Where the best rival is clearly better: the ratio of the NLLs."""
    found = {}
    for table, folds in tables.items():
        nll = levels(folds)
        best = min(nll[peer] for peer in RIVALS)
        if nll[name] > max((1 + BEHIND) * best, best + NATS):
            found[table] = nll[name] / best
    return found


def origin(tables: dict[str, list[Folds]], name: str) -> str:
    """How much of the tables there is, and days and commits of this induce where the record has them."""
    own = [fold[name] for folds in tables.values() for fold in folds]
    days = sorted({record["when"][:10] for record in own if "when" in record}) or ["2026-11-18"]  # older: no days
    commits = sorted({record["commit"] for record in own if "commit" in record})
    build = f", commit {', '.join(commits)}" if commits else ", a build of that day"
    when = " to ".join(dict.fromkeys((days[0], days[-1])))
    return f"{len(tables)} tables, {len(own)} pairs of table and fold, {when}{build}"


def page(tables: dict[str, list[Folds]], libraries: list[str]) -> str:
    """The whole output. The first library is the one that others are compared with."""
    name = libraries[0]
    rows = [f"| table | folds | {' | '.join(libraries)} | seconds |\n|{'---|' * (len(libraries) + 3)}"]
    for table, folds in tables.items():
        nll = levels(folds)
        cells = (f"**{x:.4f}**" if x == min(nll.values()) else f"{x:.4f}" for x in nll.values())
        seconds = mean(fold[name]["processor_seconds"] for fold in folds)
        rows.append(f"| {table} | {len(folds)} | {' | '.join(cells)} | {seconds:.1f} |")
    rows.append(
        "\n| against | better on tables | on tables and folds | median ratio | geometric mean | processor time |"
    )
    rows.append("|---|---|---|---|---|---|")
    rows += [compare(tables, name, other) for other in libraries[1:]]
    far = ", ".join(f"{table} {ratio:.2f}" for table, ratio in behind(tables, name).items())
    rows.append(f"\nBehind the best of {', '.join(RIVALS)} by {BEHIND:.0%} and {NATS}: {far or 'none'}.")
    rows[-1] += f" {origin(tables, name)}."
    return "\n".join(rows)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/tables/table", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, default=[RECORD])
    parser.add_argument("--name", default="induce")
    parser.add_argument("--against", metavar="NAME")
    parser.add_argument("--folds", type=int, nargs="*", help="only these")
    args = parser.parse_args()
    libraries = [args.name, *([args.against] if args.against else []), *PEERS]
    tables = complete((record for path in args.files for record in lines.read(path)), libraries, args.folds)
    if not tables:
        print(f"bench/tables/table: no table has a fold with each of {', '.join(libraries)}")
        return 2
    print(page(tables, libraries))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
