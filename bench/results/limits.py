"""Prints the figures of docs/limits.md from docs/records: what other libraries do better.

    bench/results/limits time       seconds of trees, as shares of those of induce
    bench/results/limits nll        sets where a library has a better NLL than the mean of induce
    bench/results/limits accuracy   sets where trees or logistic regression predict more rows correctly
    bench/results/limits tables     the 35 public tables
    bench/results/limits speed      sets where other Gaussian process libraries are not 20 times slower, or end lower

induce: the mean of seeds 0 to 4, or, for a set that docs/records/seeds.jsonl lacks, the run of bench/results/run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from bench.peers.tables import by_set_and_peer, course, markdown, number, reached
from bench.results import tables as results
from bench.results.seed_tables import fits_of, seconds
from bench.results.seeds import RECORD, SETS
from bench.support import lines
from bench.support.lines import Record
from bench.support.origin import machine_of
from bench.tables import figures

TREES = ("LightGBM", "XGBoost", "CatBoost")
WANTED = 20  # times as fast as the other Gaussian process libraries


@dataclass(frozen=True)
class Own:
    """induce on one set."""

    nll: float
    accuracy: float
    seconds: float
    busy: bool
    of: str  # which fits
    machine: str


class Figures:
    def __init__(self) -> None:
        sets, self.adult = results.records()
        self.found = by_set_and_peer(sets)
        self.day = min(record["run"] for record in sets)[:10]
        self.machine = machine_of(sets[0])
        fits = fits_of(lines.read(RECORD))
        self.own: dict[str, Own] = {}
        for name in SETS:
            if own := fits.get(name):
                means = [own.mean(what) for what in ("nll", "accuracy", "seconds")]
                self.own[name] = Own(*means, own.busy, f"seeds 0 to 4, {own.day}", machine_of(own.fits[0]))
            elif record := self.adult.get("induce") if name == "adult" else self.found.get((name, "induce-auto")):
                final = record.get("final") or record
                of = f"run of {record['run'][:10]}"
                ends = (final["nll"], final["accuracy"], record["seconds"])
                self.own[name] = Own(*ends, record["busy"], of, machine_of(record))

    def other(self, name: str, library: str) -> Record | None:
        """NLL, accuracy and seconds at the end of training."""
        record = results.other_of(self.found, self.adult, name, library)
        return record and {**(record.get("final") or record), "seconds": record["seconds"]}


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def of_day(about: Figures) -> str:
    return f"Other libraries: one run of {about.day}, by default."


def time(about: Figures) -> str:
    parts = []
    quiet = {name: own for name, own in about.own.items() if not own.busy} or about.own
    for library in TREES:
        shares = {
            name: other["seconds"] / own.seconds
            for name, own in quiet.items()
            if (other := about.other(name, library))
        }
        if shares:
            low, high = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
            parts.append(f"| {library} | {len(shares)} | {shares[low]:.2g} ({low}) | {median(shares.values()):.2g} "
                         f"| {shares[high]:.2g} ({high}) |")  # fmt: skip
    head = "| seconds, as a share of those of induce | sets | least | median | most |\n|---|---|---|---|---|"
    named = [
        f"{name} {seconds(other['seconds'])} against {seconds(quiet[name].seconds)}"
        for name in ("ijcnn1", "adult")
        if name in quiet and (other := about.other(name, "LightGBM"))
    ]
    of = sorted({own.of for own in quiet.values()})
    busy = [name for name in about.own if name not in quiet]
    left = f" Without {', '.join(busy)}, timed beside other work." if busy else ""
    if all(own.busy for own in about.own.values()):
        left = " All of induce's times were taken beside other work, so these shares are too small."
    if machines := {own.machine for own in quiet.values()} - {about.machine}:
        left += f" induce ran on {', '.join(sorted(machines))}, the others on {about.machine}: read these as rough."
    return "\n".join(
        [head, *parts, f"\nLightGBM: {', '.join(named)}. induce: {'; '.join(of)}.{left} {of_day(about)}"]
    )


def nll(about: Figures) -> str:
    body = []
    for name, own in about.own.items():
        better = {
            library: other["nll"]
            for library in results.OTHERS
            if (other := about.other(name, library)) and other["nll"] < own.nll
        }
        if best := results.best_gaussian(about.found, name):
            library, point = best
            better |= {f"{library} at its best point": point["nll"]} if point["nll"] < own.nll else {}
        if better:
            ahead = percent(1 - min(better.values()) / own.nll)
            cells = ", ".join(
                f"{library} {number(x)}" for library, x in sorted(better.items(), key=lambda item: item[1])
            )
            body.append([name, number(own.nll), own.of, cells, ahead])
    table = markdown(["NLL", "induce", "of", "better", "the best by"], body)
    return f"{table}\n\n{len(body)} of {len(about.own)} sets. {of_day(about)}"


def accuracy(about: Figures) -> str:
    body = []
    for name, own in about.own.items():
        better = {
            library: other["accuracy"]
            for library in results.OTHERS
            if (other := about.other(name, library)) and other["accuracy"] > own.accuracy
        }
        if better:
            cells = ", ".join(
                f"{library} {number(x)}" for library, x in sorted(better.items(), key=lambda item: -item[1])
            )
            body.append([name, number(own.accuracy), own.of, cells])
    table = markdown(["accuracy", "induce", "of", "higher"], body)
    return f"{table}\n\n{len(body)} of {len(about.own)} sets. {of_day(about)}"


def tables(_: Figures) -> str:
    every = figures.complete(lines.read(figures.RECORD), ["induce", *figures.PEERS])
    better = {
        library: sum(ratio > 1 for ratio in figures.ratios(every, "induce", library)) for library in figures.RIVALS
    }
    ahead = ", ".join(f"{library} on {count}" for library, count in better.items())
    far = ", ".join(f"{table} {ratio:.2f}" for table, ratio in figures.behind(every, "induce").items())
    return (
        f"Of {len(every)} small and medium public tables ([results](results.md#public-tables)) the NLL is better by"
        f" default with {ahead}. Where induce is behind the best of these by more than {figures.BEHIND:.0%} and"
        f" {figures.NATS}, and its NLL over the best: {far or 'none'}. {figures.origin(every, 'induce')}."
    ).replace("%", " %")


def speed(about: Figures) -> str:
    slow, lower = [], []
    for name, own in about.own.items():
        best = results.best_gaussian(about.found, name)
        if not best:
            continue
        library, point = best
        at = reached(course(about.found[name, "induce-auto"]), point["nll"])
        if at and point["seconds"] / at < WANTED:
            slow.append(f"{name} ({point['seconds'] / at:.1f} times)")
        if point["nll"] < own.nll:
            lower.append(f"{name} ({library} {number(point['nll'])}, induce {number(own.nll)}, {own.of})")
    return (
        f"- **Speed against other Gaussian process libraries** is below the target of {WANTED} times, measured to the"
        f" best NLL of any of them in the run of {about.day}, on {', '.join(slow) or 'no set'}.\n"
        "- **NLL against them**: at the best point of its run, chosen by the test rows, one is below induce on"
        f" {'; '.join(lower) or 'no set'}."
    )


PARTS: dict[str, Callable[[Figures], str]] = {
    "time": time, "nll": nll, "accuracy": accuracy, "tables": tables, "speed": speed,
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/results/limits", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", choices=PARTS)
    print(PARTS[parser.parse_args().part](Figures()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
