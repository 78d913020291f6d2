"""What rare classes, costs, groups, doubt, novelty, sets and trials promise, from records, as Markdown.

bench/answers/table          docs/records/answers.jsonl
bench/answers/table FILE     another record
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from statistics import mean, stdev

from bench.peers.tables import markdown
from bench.support import lines
from bench.support.lines import Record
from bench.support.origin import origin
from bench.support.settings import ROOT

RECORD = ROOT / "docs" / "records" / "answers.jsonl"
SEEDS = 24  # made-up tables of each problem; draws of rows of the wines
WINES = range(3)


def less(one: str, other: str) -> Callable[[Record], float]:
    return lambda record: record[one] - record[other]


def z_squared(name: str) -> Callable[[Record], float]:
    return lambda record: ((record[f"stated_{name}"] - record[f"new_{name}"]) / record[f"error_{name}"]) ** 2


def of_wines(record: Record) -> float:
    return mean(record[f"auc_{wine}"] for wine in WINES)


Row = tuple[str, str, Callable[[Record], float]]
ROWS: list[Row] = [
    ("rare", 'a class of 2 %: AUC with "balanced" less the plain fit\'s', less("auc_balanced", "auc_plain")),
    ("rare", "processor time, over the plain fit's", lambda row: row["seconds_balanced"] / row["seconds_plain"]),
    ("costs", "cost per row of the least expected cost", lambda row: row["cost"]),
    ("costs", "that cost less that of the best of 19 thresholds on training rows", less("cost", "cost_of_threshold")),
    ("costs", "that cost less that of the best of 19 on the test rows", less("cost", "least_of_all_thresholds")),
    ("panel", "200 persons, `groups`: stated NLL less that of new persons", less("stated_groups", "new_groups")),
    ("panel", "the same over its stated error, squared, wanted 1", z_squared("groups")),
    ("panel", "without `groups`: stated NLL less that of new persons", less("stated_rows", "new_rows")),
    ("panel", "NLL of new persons, with `groups` less without", less("new_groups", "new_rows")),
    ("doubt", "share of true probabilities from p_low to p_high, wanted .95", lambda row: row["inside"]),
    ("doubt", "largest difference from 4,000 draws", lambda row: row["largest_difference_from_draws"]),
    ("novelty", "AUC of novelty, rows moved by five deviations", lambda row: row["auc"]),
    *[
        ("unseen_class", f"AUC of novelty, wines of class {wine} unseen", lambda row, wine=wine: row[f"auc_{wine}"])
        for wine in WINES
    ],
    ("unseen_class", "mean of the three", of_wines),
    ("sets", "sets of five classes that are right, wanted .9", lambda row: row["right_calibrated"]),
    ("sets", "the same, without calibration", lambda row: row["right_plain"]),
    ("sets", "classes in a set", lambda row: row["size_calibrated"]),
    ("sets", "the same, without calibration", lambda row: row["size_plain"]),
    ("trials", "trials: stated NLL less that of new rows", less("stated", "new")),
    ("trials", "NLL of new rows less that of the true probabilities", less("new", "true")),
]


def number(value: float) -> str:
    digits = 4 if abs(value) < 0.1 else 3
    return f"{round(value, digits) + 0.0:.{digits}f}"  # no -0


def table(records: list[Record]) -> str:
    """The whole output."""
    found = lines.last_by(records, "problem", "seed")
    body = []
    for problem, what, of in ROWS:
        values = [of(record) for (name, _), record in found.items() if name == problem]
        if len(values) > 1:
            error = stdev(values) / len(values) ** 0.5
            cells = [f"{number(mean(values))} ({number(error)})", number(min(values)), number(max(values))]
            body.append([problem, what, str(len(values)), *cells])
    head = ["problem", "figure", "tables", "mean (error)", "least", "most"]
    seconds = sum(record["processor_seconds"] for record in found.values())
    last = f"{len(found)} cells, {seconds / 60:.0f} minutes of the processor, {origin(list(found.values()))}."
    return f"{markdown(head, body)}\n\n{last}"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="bench/answers/table", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", type=Path, default=RECORD)
    print(table(lines.read(parser.parse_args().file)))


if __name__ == "__main__":
    main()
