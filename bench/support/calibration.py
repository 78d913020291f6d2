"""Bins of predicted probability, as in include/induce/metrics.hpp: 15 of equal width."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from bench.support.lines import significant

BINS = 15


def bins(probabilities: Iterable[float], labels: Iterable[int]) -> list[list[float]]:
    """For each nonempty bin: [rows, average probability, frequency of class 1]."""
    rows, total, positive = [0] * BINS, [0.0] * BINS, [0] * BINS
    for p, y in zip(probabilities, labels, strict=True):
        bin_ = min(int(p * BINS), BINS - 1)
        rows[bin_] += 1
        total[bin_] += p
        positive[bin_] += y
    return [
        [rows[i], significant(total[i] / rows[i], 8), significant(positive[i] / rows[i], 8)]
        for i in range(BINS)
        if rows[i]
    ]


def read_confidence(path: Path) -> tuple[list[str], list[float]]:
    """The predicted label and its probability from the same output, for any number of classes."""
    with path.open(newline="") as text:
        rows = [(row["label"], float(row[f"p_{row['label']}"])) for row in csv.DictReader(text)]
    return [label for label, _ in rows], [p for _, p in rows]


def read_probabilities(path: Path, positive: str) -> list[float]:
    """The probability of class `positive` from the output of `induce predict -o`."""
    with path.open(newline="") as text:
        return [float(row[f"p_{positive}"]) for row in csv.DictReader(text)]
