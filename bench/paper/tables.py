"""Prints the paper's comparison as Markdown, from the JSON lines written by bench/paper/run.

    bench/paper/table              from build/paper.jsonl
    bench/paper/table --out FILE   read another results file

A cell is test accuracy @ seconds of training, medians over seeds, with the paper's final accuracy in parentheses.
Missing cells are shown as "not run".
"""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path
from statistics import median

from bench.paper.cells import BEYOND, DATA_SETS, METHODS
from bench.paper.session import RESULTS
from bench.peers.tables import markdown
from bench.support import lines
from bench.support.lines import Record


def cell(records: list[Record], name: str, method: str) -> str:
    paper = DATA_SETS[name].accuracy.get(method)
    paper_text = f" ({paper:g})" if paper else ""
    usable = [record for record in records if "test" in record["result"]]
    if not usable:
        return ("failed" if records else "not run") + paper_text
    accuracy = [record["result"]["test"]["accuracy"] for record in usable]
    seconds = median(record["result"]["seconds"] for record in usable)
    star = "*" if any(record["result"]["status"] == "budget" for record in usable) else ""
    spread = f" +- {(max(accuracy) - min(accuracy)) / 2:.3f}" if len(accuracy) > 1 else ""
    found = usable[0].get("search")
    searched = f" after {found['seconds']:.0f} s of search" if found else ""
    return f"{median(accuracy):.4f}{spread} @ {seconds:.2g}{star}{searched}{paper_text}"


def table(records: list[Record]) -> str:
    last = lines.last_by(records, "set", "method", "seed").values()
    head = ["data", "m", "seeds", *METHODS, *BEYOND]
    body = []
    for name, setting in DATA_SETS.items():
        of_set = [record for record in last if record["set"] == name]
        seeds = sorted({record["seed"] for record in of_set})
        cells = [cell([r for r in of_set if r["method"] == method], name, method) for method in (*METHODS, *BEYOND)]
        body.append([name, str(setting.inducing), ", ".join(map(str, seeds)) or "-", *cells])
    return markdown(head, body)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="bench/paper/table", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=RESULTS, help="results file")
    args = parser.parse_args()
    records = lines.read(args.out)
    if not records:
        print(f"{args.out}: no results; run bench/paper/run first", file=sys.stderr)
        return 1
    print(table(records))
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` is not an error
    sys.exit(main())
