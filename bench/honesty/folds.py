"""Public tables by nested folds: row i is in fold i mod 5; the figure stated by a fit on four, against the fifth."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bench.honesty.fits import Program, fit, stated_against_fresh
from bench.honesty.rows import load_csv
from bench.support.lines import Record, significant

FOLDS = 5
SUFFIX = ".csv.xz"
# Of the record of a fold.
KEPT = ("stated", "stated_error", "fresh", "fresh_error", "stated_by", "kernel", "warp", "m")


def names(data: Path) -> list[str]:
    return sorted(path.name.removesuffix(SUFFIX) for path in data.glob(f"*{SUFFIX}"))


def run(name: str, program: Program, data: Path) -> Record:
    rows = load_csv(data / f"{name}{SUFFIX}")
    fold = np.arange(len(rows)) % FOLDS
    records, unseen = [], 0
    for number in range(FOLDS):
        train, fresh = rows.take(fold != number), rows.take(fold == number)
        known = np.isin(fresh.labels, train.labels)  # a class without training rows has no probability
        unseen += int((~known).sum())
        fresh = fresh.take(known)
        found = fit(program, train, fresh)
        record, _ = stated_against_fresh(found, train, fresh)
        records.append(record | found.facts())

    def mean(key: str) -> float:
        return significant(float(np.mean([record[key] for record in records])))

    def error(key: str) -> float:
        """Of the mean, as if the folds were independent."""
        return significant(float(np.sqrt(np.square([record[key] for record in records]).sum()) / FOLDS))

    return {
        "rows": len(rows),
        "columns": len(rows.columns),
        "unseen": unseen,
        **{key: mean(key) for key in ("stated", "fresh", "seconds")},
        **{key: error(key) for key in ("stated_error", "fresh_error")},
        "out_of_time": sum(record["status"] == "budget" for record in records),
        "folds": [{key: record[key] for key in KEPT} for record in records],
    }
