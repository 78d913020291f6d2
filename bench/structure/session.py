"""Fits made-up problems, whose least possible NLL is known, and prints a table (Markdown).

    bench/structure/run                                all problems (about an hour)
    bench/structure/run --only twelve waves --seeds 0 1 2
    bench/structure/run --catboost                     CatBoost too, which takes longer than the rest
    bench/structure/run --no-peers --json today.jsonl  induce alone; one line of JSON per fit is added to a file
    bench/structure/run --only steps -- --kernel se    what follows -- goes to induce fit

The problems and what is wanted of them are in bench/structure/problems.py. LightGBM (and NumPy) come from the
environment of bench/peers/environments tables if there is one. Compare times within one run only.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from bench.structure.fits import THREADS, MissingError, Result, fit_catboost, fit_induce, fit_lightgbm, require
from bench.structure.problems import MARGIN, PROBLEMS, Problem, make, nll
from bench.support import lines, machine
from bench.support.lines import Record
from bench.support.program import ProgramError, pass_seconds
from bench.support.settings import INDUCE

HEAD = (
    *("problem", "rows", "features", "seed", "true NLL", "excess", "LightGBM's", "CatBoost's", "kernel", "m"),
    *("seconds", "LightGBM, s", "CatBoost, s", "time / LightGBM's", "wanted", "met"),
)


def most(problem: Problem, true: float, trees: Result | None) -> float | None:
    """The largest excess that is wanted, if it is known."""
    if problem.wanted is not None:
        return problem.wanted
    return trees.nll - true + MARGIN if trees else None


def met(problem: Problem, true: float, own: Result, trees: Result | None) -> bool | None:
    limit = most(problem, true, trees)
    if limit is None:
        return None
    if problem.first and problem.first[1] not in own.order[: problem.first[0]]:
        return False
    return own.nll - true <= limit


def describe_wanted(problem: Problem, true: float, own: Result, trees: Result | None) -> str:
    limit = most(problem, true, trees)
    text = "-" if limit is None else f"{limit:.4f}"
    if not problem.first:
        return text
    count, feature = problem.first
    place = own.order.index(feature) + 1 if feature in own.order else "nowhere"
    return f"{text}, {feature} in the first {count} (is {place})"


def excess(true: float, result: Result | None) -> str:
    return f"{result.nll - true:.4f}" if result else "-"


def seconds(result: Result | None) -> str:
    return f"{result.seconds:.3g}" if result else "-"


def row(problem: Problem, seed: int, true: float, own: Result, trees: Result | None, cat: Result | None) -> list[str]:
    reached = met(problem, true, own, trees)
    return [
        problem.name,
        f"{problem.rows}",
        f"{problem.features}",
        f"{seed}",
        f"{true:.4f}",
        excess(true, own),
        excess(true, trees),
        excess(true, cat),
        own.kernel,
        f"{own.m}",
        seconds(own) + ("" if own.status == "converged" else f" ({own.status})"),
        seconds(trees),
        seconds(cat),
        f"{own.seconds / trees.seconds:.3g}" if trees else "-",
        describe_wanted(problem, true, own, trees),
        {True: "yes", False: "no", None: "-"}[reached],
    ]


def run(args: argparse.Namespace, problem: Problem, seed: int) -> Record:
    """Fits one problem, prints its row and returns its record."""
    train, test = make(problem, seed)
    true = nll(test.p, test.y)
    size = (problem.rows, problem.pass_inducing, problem.features)

    def one_pass() -> list[float]:
        given = ("--threads", str(THREADS), "--repeats", "3")
        return [pass_seconds(args.command, *size, *given)] if problem.pass_inducing else []

    passes = one_pass()
    own = fit_induce(args.command, train, test, [*problem.arguments, "--seed", str(seed), *args.arguments])
    passes += one_pass()
    trees = None if args.no_peers else fit_lightgbm(problem, train, test, seed)
    cat = fit_catboost(problem, train, test, seed) if args.catboost else None
    print(f"| {' | '.join(row(problem, seed, true, own, trees, cat))} |", flush=True)
    return {
        "problem": problem.name,
        "seed": seed,
        "true_nll": true,
        "met": met(problem, true, own, trees),
        "pass_seconds": min(passes, default=None),
        **{
            name: asdict(found) | {"excess": found.nll - true} if found else None
            for name, found in (("induce", own), ("lightgbm", trees), ("catboost", cat))
        },
    }


def describe_passes(record: Record) -> str:
    """The time of a fit in passes, for the problems that ask for it."""
    problem, one = PROBLEMS[record["problem"]], record["pass_seconds"]
    text = (
        f"{problem.name}, seed {record['seed']}: a pass of {problem.rows} rows with m = {problem.pass_inducing} takes"
        f" {one:.3g} s. The fit took {record['induce']['seconds'] / one:.1f} passes"
        f" ({record['induce']['status']})"
    )
    trees = record["lightgbm"]
    return f"{text}, LightGBM with {problem.trees} trees {trees['seconds'] / one:.1f}." if trees else f"{text}."


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bench/structure/run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", default=list(PROBLEMS), choices=list(PROBLEMS), metavar="NAME",
                        help=f"any of {', '.join(PROBLEMS)}")  # fmt: skip
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--command", type=Path, default=INDUCE)
    parser.add_argument("--json", type=Path, metavar="FILE", help="add one line of JSON per fit to this file")
    parser.add_argument("--no-peers", action="store_true", help="induce alone")
    parser.add_argument("--catboost", action="store_true", help="CatBoost with its defaults too (slow)")
    parser.add_argument("arguments", nargs="*", help="arguments of induce fit, after --")
    return parser.parse_args()


def main() -> int:
    args = parse()
    if not args.command.exists():
        print(f"{args.command}: no such program; build it or set --command", file=sys.stderr)
        return 1
    try:
        require(*([] if args.no_peers else ["lightgbm"]), *(["catboost"] if args.catboost else []))
    except MissingError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"| {' | '.join(HEAD)} |\n|{'---|' * len(HEAD)}", flush=True)
    here, notes = {"machine": machine.machine(), "commit": machine.commit()}, []
    failed = False
    for name in args.only:
        for seed in args.seeds:
            watch, when = machine.Watch(), machine.now()
            try:
                record = run(args, PROBLEMS[name], seed)
            except ProgramError as error:
                print(f"{name}, seed {seed}: {error}", file=sys.stderr)
                failed = True
                continue
            if args.json:
                given = {"arguments": [*PROBLEMS[name].arguments, *args.arguments]}
                lines.append(args.json, {"when": when, **here, **watch.end(), **given, **record})
            if record["pass_seconds"]:
                notes.append(describe_passes(record))
    print(*(f"\n{note}" for note in notes), sep="\n", end="\n" if notes else "")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
