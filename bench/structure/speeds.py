"""Prints the speeds that are wanted, on real data sets (Markdown).

    bench/structure/speed                              all tables (some ten minutes)
    bench/structure/speed --before OLD/induce          also with another build, in turn; ratios of the times
    bench/structure/speed --only given auto            some of: given, auto, bound, sets
    bench/structure/speed --only sets --sets german magic --rounds 3

given: a given m, against the seconds of GPyTorch. auto: ijcnn1 without options, in passes of its final m. bound: the
time to a bound on cod-rna with many inducing inputs. sets: all seven sets without options. Seconds are those of
training, the fastest of --rounds. Ratios are times of --command divided by times of --before.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bench.support import machine
from bench.support.lines import Record
from bench.support.program import ProgramError, call, pass_seconds
from bench.support.settings import DATA, INDUCE, INDUCING, files

GIVEN = (("ijcnn1", 100, 88.0), ("cod-rna", 400, 123.0))  # set, m, seconds of GPyTorch
AUTO = "ijcnn1"
BOUND = ("cod-rna", 1000, -6957.0)  # set, m, bound
BOUND_ROWS = 49_466  # distinct training rows of that set
BOUND_LIMIT = 600  # seconds
BEFORE = {  # test NLL without options, version 0.2.0
    "german": 0.5150,
    "svmguide1": 0.0782,
    "magic": 0.2872,
    "ijcnn1": 0.0399,
    "cod-rna": 0.0950,
    "skin_nonskin": 0.0026,
    "a8a": 0.3155,
}


def time_to_bound(trace: Iterable[Record], bound: float, rows: int) -> float | None:
    """Seconds until the bound was reached. Stages on fewer than `rows` do not count: their sums are shorter."""
    return next((step["seconds"] for step in trace if step["rows"] >= rows and step["bound"] >= bound), None)


def fit(command: Path, data: Path, name: str, *arguments: str) -> Record:
    train, test = files(data, name)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "summary.json"
        call([command, "fit", train, "--test", test, "--quiet", "--json", out, *arguments])
        return json.loads(out.read_text())


def reach(command: Path, data: Path, name: str, m: int, bound: float) -> tuple[Record, float | None]:
    """Without test rows, so that the trace costs little."""
    train, _ = files(data, name)
    with tempfile.TemporaryDirectory() as folder:
        out, trace = Path(folder) / "summary.json", Path(folder) / "trace.jsonl"
        given = ["--inducing", str(m), "--max-time", str(BOUND_LIMIT), "--quiet"]
        call([command, "fit", train, *given, "--json", out, "--trace", trace])
        steps = [json.loads(line) for line in trace.read_text().splitlines()]
        return json.loads(out.read_text()), time_to_bound(steps, bound, BOUND_ROWS)


@dataclass(frozen=True)
class Builds:
    """The build to measure and, if given, another, which is run first each time."""

    command: Path
    before: Path | None
    data: Path
    rounds: int

    def fits(self, name: str, *arguments: str) -> tuple[Record, Record | None]:
        """The fastest fit of each build; the builds take turns."""
        found: list[tuple[Record, Record | None]] = []
        for _ in range(self.rounds):
            old = fit(self.before, self.data, name, *arguments) if self.before else None
            found.append((fit(self.command, self.data, name, *arguments), old))
        new = min((pair[0] for pair in found), key=lambda summary: summary["seconds"])
        olds = [pair[1] for pair in found if pair[1]]
        return new, min(olds, key=lambda summary: summary["seconds"], default=None)

    def columns(self, *names: str) -> list[str]:
        return [*names, *(["before, s", "ratio"] if self.before else [])]

    def compared(self, now: float | None, old: float | None) -> list[str]:
        if not self.before:
            return []
        return ["never" if old is None else f"{old:.3g}", f"{now / old:.2f}" if now and old else "-"]


def show(title: str, head: list[str]) -> None:
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)


def show_row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def given(builds: Builds, names: list[str]) -> None:
    show("A given m", builds.columns("data", "m", "NLL", "seconds", "GPyTorch, s", "times faster"))
    for name, m, peer in GIVEN:
        new, old = builds.fits(name, "--inducing", str(m))
        nll, seconds = new["test"]["nll"], new["seconds"]
        cells = [name, f"{m}", f"{nll:.4f}", f"{seconds:.3g}", f"{peer:g}", f"{peer / seconds:.1f}"]
        show_row(*cells, *builds.compared(seconds, old["seconds"] if old else None))


def auto(builds: Builds, names: list[str]) -> None:
    show("No options, in passes", builds.columns("data", "m", "NLL", "seconds", "one pass, s", "passes"))
    new, old = builds.fits(AUTO)
    one = pass_seconds(builds.command, new["n"], new["m"], new["d"])
    cells = [AUTO, f"{new['m']}", f"{new['test']['nll']:.4f}", f"{new['seconds']:.3g}", f"{one:.3g}"]
    show_row(*cells, f"{new['seconds'] / one:.0f}", *builds.compared(new["seconds"], old["seconds"] if old else None))


def bound(builds: Builds, names: list[str]) -> None:
    name, m, level = BOUND
    show("Time to a bound", builds.columns("data", "m", "bound", "reached after, s", "last bound", "seconds"))
    old = reach(builds.before, builds.data, name, m, level)[1] if builds.before else None
    new, at = reach(builds.command, builds.data, name, m, level)
    cells = [name, f"{m}", f"{level:g}", "never" if at is None else f"{at:.3g}", f"{new['bound']:.1f}"]
    show_row(*cells, f"{new['seconds']:.3g}", *builds.compared(at, old))


def sets(builds: Builds, names: list[str]) -> None:
    head = builds.columns("data", "m", "kernel", "NLL", "NLL of 0.2.0", "seconds")
    show("No options", [*head, *(["NLL before"] if builds.before else [])])
    for name in names:
        new, old = builds.fits(name)
        kernel, nll, seconds = new.get("kernel", "-"), new["test"]["nll"], new["seconds"]
        cells = [name, f"{new['m']}", kernel, f"{nll:.4f}", f"{BEFORE[name]:.4f}", f"{seconds:.3g}"]
        last = [f"{old['test']['nll']:.4f}"] if old else []
        show_row(*cells, *builds.compared(seconds, old["seconds"] if old else None), *last)


TABLES = {"given": given, "auto": auto, "bound": bound, "sets": sets}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/structure/speed", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DATA, help="folder with SET.train.svm.xz and SET.test.svm.xz")
    parser.add_argument("--command", type=Path, default=INDUCE)
    parser.add_argument("--before", type=Path, metavar="COMMAND", help="another build to compare with")
    parser.add_argument("--only", nargs="+", default=list(TABLES), choices=list(TABLES), metavar="TABLE",
                        help=f"any of {', '.join(TABLES)}")  # fmt: skip
    parser.add_argument("--sets", nargs="+", default=list(INDUCING), choices=list(INDUCING), metavar="SET",
                        help="the data sets of the table `sets`")  # fmt: skip
    parser.add_argument("--rounds", type=int, default=1, help="fits of each build; the fastest counts (1)")
    args = parser.parse_args()
    if not args.data.is_dir():
        print(f"{args.data}: no such folder; set --data, or download the data with bench/get_data", file=sys.stderr)
        return 1
    for command in (args.command, args.before):
        if command and not command.exists():
            print(f"{command}: no such program; build it or set --command", file=sys.stderr)
            return 1
    here, others = machine.machine(), machine.busy_cores()
    print(f"{here['cores']} cores of {here['cpu']}, {others:g} used by other work at the start, {machine.now()}.")
    builds = Builds(args.command, args.before, args.data, args.rounds)
    try:
        for name in args.only:
            TABLES[name](builds, args.sets)
    except ProgramError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
