"""What the program says about itself, against the truth.

    bench/honesty/run permuted            tables without signal: stated NLL and fresh rows against the base rate
    bench/honesty/run signal              made-up tables: stated NLL against that of 20,000 fresh rows
    bench/honesty/run tables              public tables by nested folds: stated NLL against that of the fold left out
    bench/honesty/run stability           the same small tables in 20 ways that should not matter
    bench/honesty/run permuted --tables 20 --induce ../before/build/induce --out before.jsonl

Every case adds a line of JSON to --out; cases that it has are skipped. At the end the tables of docs/results.md are
printed (Markdown); bench/honesty/table prints those of two builds next to each other.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from bench.honesty import folds, permuted, signals, stability
from bench.honesty.fits import Program
from bench.honesty.tables import describe
from bench.support import lines, machine
from bench.support.lines import Record
from bench.support.program import ProgramError
from bench.support.settings import DATA, INDUCE, ROOT

Run = Callable[[str], Record]


def permuted_cases(args: argparse.Namespace, program: Program) -> tuple[list[str], Run]:
    return [str(number) for number in range(args.tables or 200)], lambda name: permuted.run(name, program)


def signal_cases(args: argparse.Namespace, program: Program) -> tuple[list[str], Run]:
    names = list(signals.TABLES)[: args.tables]
    cases = [signals.case(name, seed) for seed in args.seeds for name in names]
    return cases, lambda case: signals.run(case, program)


def fold_cases(args: argparse.Namespace, program: Program) -> tuple[list[str], Run]:
    names = folds.names(args.data)
    if not names:
        print(f"{args.data}: no tables (*{folds.SUFFIX}) here, nothing to do; set --data", file=sys.stderr)
    return names[: args.tables], lambda name: folds.run(name, program, args.data)


def stability_cases(args: argparse.Namespace, program: Program) -> tuple[list[str], Run]:
    missing = [name for name, file in stability.NEEDS.items() if not (args.data / file).exists()]
    for name in missing:
        print(f"{args.data / stability.NEEDS[name]}: no such file, {name} is left out; set --data", file=sys.stderr)
    names = [name for name in stability.TABLES if name not in missing]
    return names[: args.tables], lambda name: stability.run(name, program, args.data)


CASES = {"permuted": permuted_cases, "signal": signal_cases, "tables": fold_cases, "stability": stability_cases}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bench/honesty/run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bench", choices=list(CASES))
    parser.add_argument("--tables", type=int, metavar="N", help="only the first N; permuted: 200 unless told")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0], metavar="SEED", help="of tables with signal (0)")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these tables, by number (permuted) or name")
    parser.add_argument("--induce", type=Path, default=INDUCE, metavar="PATH", help="the program")
    parser.add_argument("--max-time", type=float, default=30, metavar="SECONDS", help="of one fit (30)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="fits at a time, one thread each (2)")
    parser.add_argument("--data", type=Path, default=DATA / "tables", metavar="FOLDER", help="the public tables")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "honesty.jsonl", metavar="FILE", help="records")
    return parser.parse_args()


def run_all(names: list[str], run: Run, args: argparse.Namespace) -> bool:
    """Adds the record of each case as it ends; whether one failed."""
    failed = False
    pool = ThreadPoolExecutor(args.jobs)
    try:
        running = {pool.submit(run, name): name for name in names}
        for done in as_completed(running):
            name = running[done]
            try:
                record = done.result()
            except ProgramError as error:
                print(f"{args.bench}, {name}: {error}", file=sys.stderr)
                failed = True
                continue
            head = {"bench": args.bench, "case": name, "when": machine.now(), "max_time": args.max_time}
            lines.append(args.out, head | record)
            print(f"{args.bench}, {name}: done", file=sys.stderr, flush=True)
    finally:
        pool.shutdown(cancel_futures=True)  # Ctrl-C ends those that run, and starts no others
    return failed


def main() -> int:
    args = parse()
    if not args.induce.exists():
        print(f"{args.induce}: no such program; build it or set --induce", file=sys.stderr)
        return 1
    names, run = CASES[args.bench](args, Program(args.induce, args.max_time))
    unknown = sorted(set(args.only or []) - set(names))
    if unknown:
        print(f"--only: no case is called {', '.join(unknown)}; there are {', '.join(names)}", file=sys.stderr)
        return 1
    recorded = {record["case"] for record in lines.read(args.out) if record["bench"] == args.bench}
    failed = run_all([name for name in args.only or names if name not in recorded], run, args)
    print(describe({"": [record for record in lines.read(args.out) if record["bench"] == args.bench]}))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
