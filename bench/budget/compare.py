"""Compares the speed of two commits on this machine, and checks it against bench/budget/budget.json.

    bench/compare v0.2.0 HEAD            builds both below build/compare, runs them in turn (some ten minutes)
    bench/compare OLD/induce NEW/induce  two programs
    bench/compare --quick A B            fewer rows and rounds

Prints the ratio of the times, AFTER / BEFORE, of each measure: the median of the rounds and their quartiles. Where
the median exceeds its limit but not every round does, more rounds decide. Exit status 1 if a median exceeds its
limit, or if the test NLL of a fit of AFTER does. A measure that BEFORE cannot run is not limited.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from bench.budget.builds import program
from bench.budget.measures import Measure, Sample, measures
from bench.support import machine
from bench.support.lines import Record
from bench.support.program import ProgramError
from bench.support.settings import DATA

BUDGET = Path(__file__).with_name("budget.json")
MOST = 4  # times the usual number of rounds, where they do not decide


@dataclass
class Comparison:
    """Paired samples of one measure."""

    name: str
    limit: float
    nll_limit: float | None = None
    before: list[Sample] = field(default_factory=list)
    after: list[Sample] = field(default_factory=list)

    @property
    def ratios(self) -> list[float]:
        return [new.seconds / old.seconds for old, new in zip(self.before, self.after, strict=False)]

    @property
    def quartiles(self) -> tuple[float, float, float]:
        ratios = self.ratios
        if len(ratios) == 1:
            return ratios[0], ratios[0], ratios[0]
        low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
        return low, middle, high

    @property
    def undecided(self) -> bool:
        """The median exceeds the limit, but not every round does."""
        return bool(self.ratios) and min(self.ratios) <= self.limit < self.quartiles[1]

    @property
    def problems(self) -> list[str]:
        found = []
        if self.ratios and self.quartiles[1] > self.limit:
            found.append(f"{self.name}: {self.quartiles[1]:.3f} times the time, limit {self.limit:g}")
        nll = max((sample.nll for sample in self.after if sample.nll is not None), default=None)
        if nll is not None and self.nll_limit is not None and nll > self.nll_limit:
            found.append(f"{self.name}: NLL {nll:.4f}, limit {self.nll_limit:g}")
        return found

    def row(self) -> str:
        def fastest(samples: list[Sample]) -> str:
            best = min(samples, key=lambda sample: sample.seconds, default=None)
            return "-" if best is None else best.shown

        ratio = "- | -"
        if self.ratios:
            low, middle, high = self.quartiles
            ratio = f"{middle:.3f} | {low:.3f} to {high:.3f}"
        nll = self.after[-1].nll
        error = "" if nll is None else f"{nll:.4f}"
        word = "EXCEEDED" if self.problems else "ok"
        cells = [self.name, fastest(self.before), fastest(self.after), ratio, len(self.ratios), f"{self.limit:g}"]
        return f"| {' | '.join(map(str, cells))} | {error} | {self.nll_limit or ''} | {word} |"


HEAD = ("measure", "before", "after", "ratio", "quartiles", "rounds", "limit", "NLL", "limit", "")


def add_round(measure: Measure, found: Comparison, builds: tuple[Path, Path], number: int) -> None:
    """Runs both programs once. They take turns in being first."""
    old, new = builds
    if found.before or number == 0:
        try:
            if number % 2 == 0:
                found.before.append(measure.run(old))
                found.after.append(measure.run(new))
            else:
                found.after.append(measure.run(new))
                found.before.append(measure.run(old))
            return
        except ProgramError as error:
            if found.before:  # the old program works, so the new one does not
                raise
            print(f"compare: {measure.name} is not compared, BEFORE failed: {error}", file=sys.stderr)
    found.after.append(measure.run(new))


def compare(todo: list[Measure], budget: Record, builds: tuple[Path, Path], rounds: int) -> list[Comparison]:
    every = [
        Comparison(measure.name, budget["ratio"][measure.name], budget["nll"].get(measure.name)) for measure in todo
    ]
    for number in range(rounds * MOST):
        for measure, found in zip(todo, every, strict=True):
            if number < rounds or found.undecided:
                add_round(measure, found, builds, number)
    return every


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", help="a commit, tag or branch, or a program")
    parser.add_argument("after", help="the same")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int, help="default: 9, with --quick 5")
    parser.add_argument("--only", nargs="+", metavar="MEASURE", help="names in the budget")
    parser.add_argument("--budget", type=Path, default=BUDGET)
    parser.add_argument("--data", type=Path, default=DATA, help="of the fits; made-up tables where it is absent")
    given = parser.parse_args(words)
    budget = json.loads(given.budget.read_text())
    try:
        builds = program(given.before, machine.cores()), program(given.after, machine.cores())
        with tempfile.TemporaryDirectory() as folder:
            todo = measures(given.data, Path(folder), quick=given.quick)
            todo = [measure for measure in todo if not given.only or measure.name in given.only]
            watch = machine.Watch()
            every = compare(todo, budget, builds, given.rounds or (5 if given.quick else 9))
            load = watch.end()
    except ProgramError as error:
        print(f"compare: {error}", file=sys.stderr)
        return 1
    print(f"\n| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}")
    print("\n".join(found.row() for found in every))
    print(f"\n{machine.cpu_model()}, {machine.cores()} cores, {load['others_during']} of them used by others")
    if load["busy"]:
        print(
            "compare: the machine is busy: ratios may be off by more than their limits allow",
            file=sys.stderr,
        )
    problems = [text for found in every for text in found.problems]
    for text in problems:
        print(f"compare: over budget: {text}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
