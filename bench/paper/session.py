"""Runs any cell of the paper's comparison and prints its results next to the paper's.

    bench/paper/run                                   all methods on all seven data sets (hours)
    bench/paper/run --sets german magic --methods vi-jj --seeds 0 1 2 3 4
    bench/paper/run --step 1 --no-curve               svi-adadelta with this step, no search; no intermediate tests
    bench/paper/figures                               the paper's figures from the results

Each cell is one `induce fit` with the paper's m. Intermediate tests for the figures run while its clock is stopped.
svi-adadelta's step is first chosen from the paper's grid; the time of that search is reported separately.
Results are appended to a JSON-lines file, and cells already in it are skipped.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median

from bench.paper.cells import BEYOND, DATA_SETS, METHODS
from bench.paper.search import search
from bench.support import lines, machine
from bench.support.induce_fit import Fit, fit
from bench.support.lines import Record
from bench.support.progress import Progress
from bench.support.settings import DATA, INDUCE, ROOT, files

RESULTS = ROOT / "build" / "paper.jsonl"
KEY = ("set", "method", "seed", "max_time", "step")
HEAD = "data          method        seed accuracy   paper     diff     nll  seconds   search  step  passes status"


def arguments(name: str, method: str, seed: int) -> list[str]:
    cell = DATA_SETS[name]
    words = ["--method", method, "--seed", str(seed)]
    if method != "auto":
        words += ["--inducing", str(cell.inducing)]
    if method == "svi-adadelta":
        words += ["--batch", str(cell.batch)]
    return words


def fit_cell(args: argparse.Namespace, name: str, method: str, seed: int) -> Record:
    data, words = files(args.data, name), arguments(name, method, seed)
    chosen: Record | None = None
    if method == "svi-adadelta":
        chosen = None if args.step else search(args.induce, data, words, args.search_time)
        words += ["--step", str(chosen["step"] if chosen else args.step)]
    if args.max_time:
        words += ["--max-time", str(args.max_time)]
    fits: list[Fit] = []
    for repeat in range(args.repeats):
        fits.append(fit(args.induce, data, words, trace=args.curve and repeat == 0))
    first = fits[0]
    found: Record = {"settings": {"arguments": words}, "search": chosen}
    if not first.summary:
        return {**found, "result": {"status": "error", "message": first.message}}
    seconds = [one.summary["seconds"] for one in fits if one.summary]
    result = {**first.summary, "seconds": median(seconds)}
    return {
        **found,
        "result": result,
        "repeats": seconds,
        "cpu_seconds": first.cpu_seconds,
        "curve": first.curve,
        "calibration": first.calibration,
    }


def line(record: Record) -> str:
    name, method, result = record["set"], record["method"], record["result"]
    head = f"{name:13} {method:13} {record['seed']:4}"
    if result["status"] == "error":
        return f"{head}  ERROR {result['message']}"
    test, paper = result["test"], DATA_SETS[name].accuracy.get(method)
    paper_text = f"{paper:7.4f} {test['accuracy'] - paper:+8.4f}" if paper else f"{'-':>7} {'-':>8}"
    chosen = record.get("search")
    searched = f"{chosen['seconds']:8.1f} {chosen['step']:5.1f}" if chosen else f"{'-':>8} {'-':>5}"
    return (
        f"{head} {test['accuracy']:8.4f} {paper_text} {test['nll']:7.4f}"
        f" {result['seconds']:8.1f} {searched} {result['passes']:7d} {result['status']}"
    )


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="bench/paper/run", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    everything = (*METHODS, *BEYOND)
    parser.add_argument("--sets", nargs="+", default=list(DATA_SETS), choices=list(DATA_SETS), metavar="SET")
    parser.add_argument("--methods", nargs="+", default=list(everything), choices=everything, metavar="METHOD",
                        help=f"any of {', '.join(everything)}")  # fmt: skip
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--induce", type=Path, default=INDUCE)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--max-time", type=float, default=0, help="seconds per fit; 0: until convergence")
    parser.add_argument("--step", type=float, default=0, help="svi-adadelta's step rate; 0: search the paper's grid")
    parser.add_argument("--search-time", type=float, default=5, help="seconds for each grid value (5)")
    parser.add_argument("--repeats", type=int, default=1, help="fits per cell; the median time is reported")
    parser.add_argument("--no-curve", dest="curve", action="store_false", help="skip the intermediate tests")
    return parser.parse_args()


def main() -> int:
    args = parse()
    if not args.data.is_dir():
        sys.exit(f"{args.data}: no such folder; --data must contain <set>.train.svm.xz and <set>.test.svm.xz")
    done = lines.last_by(lines.read(args.out), *KEY)
    keys = [(s, method, seed, args.max_time, args.step if method == "svi-adadelta" else 0)
            for s in args.sets for method in args.methods for seed in args.seeds]  # fmt: skip
    progress = Progress([key[:2] for key in keys if key not in done], args.repeats * (args.max_time or 60))
    print(HEAD)
    failures = 0
    for key in keys:
        if key not in done:
            name, method, seed, *_ = key
            progress.start((name, method), f"seed {seed}")
            watch, when = machine.Watch(), machine.now()
            found = fit_cell(args, name, method, seed)
            where = {"when": when, "machine": machine.machine(), **watch.end()}
            done[key] = {**dict(zip(KEY, key, strict=True)), **where, "commit": machine.commit(), **found}
            lines.append(args.out, done[key])
            progress.end((name, method), done[key]["result"]["status"])
        failures += done[key]["result"]["status"] in ("error", "failed")
        print(line(done[key]), flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
