"""The loop of benches that use the Python package in their own process: what is in the record is not run again."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path

import induce
from bench.support import lines, machine
from bench.support.lines import Record
from bench.support.progress import Progress

Cell = tuple[str, int]  # a problem or table, and a seed


def parser(prog: str, text: str | None, record: Path) -> argparse.ArgumentParser:
    """With the options of all of them."""
    made = argparse.ArgumentParser(prog=prog, description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--again", action="store_true", help="delete the record and begin anew")
    made.add_argument("--out", type=Path, default=record)
    return made


def rounded(value: object) -> object:
    if isinstance(value, list):
        return [rounded(each) for each in value]
    return value if isinstance(value, str | int) else lines.significant(float(value))


def run(
    args: argparse.Namespace, keys: tuple[str, str], cells: Iterable[Cell], measure: Callable[[str, int], Record]
) -> int:
    """Adds a line for each cell that the record lacks. `keys` are the names of a cell's parts in the line."""
    warnings.simplefilter("ignore")
    if args.again:
        args.out.unlink(missing_ok=True)
    (library,) = (path for path in Path(induce.__file__).parent.glob("_*.so"))
    about = {"version": induce.__version__, "build": machine.build_of(library), "commit": machine.commit()}
    records = lines.read(args.out)
    if {record["build"] for record in records} - {about["build"]}:
        print(f"{args.out.name} is of another build; --again begins a new record", file=sys.stderr)
        return 1
    done, wanted = lines.last_by(records, *keys), list(cells)
    left = [cell for cell in wanted if cell not in done]
    print(f"{len(left)} cells to run, {len(wanted) - len(left)} already done")
    progress = Progress([("cell", name) for name, _ in left], 20)
    for name, seed in left:
        progress.start(("cell", name), f"{keys[1]} {seed}")
        watch, when, before = machine.Watch(), machine.now(), machine.processor_seconds()
        found = {key: rounded(value) for key, value in measure(name, seed).items()}
        seconds = lines.significant(machine.processor_seconds() - before)
        run_of = {"processor_seconds": seconds, **about, "when": when, "machine": machine.machine(), **watch.end()}
        lines.append(args.out, {**dict(zip(keys, (name, seed), strict=True)), **found, **run_of})
        progress.end(("cell", name), f"{seconds:.1f} s of the processor")
    return 0
