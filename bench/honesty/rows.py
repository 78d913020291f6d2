"""Rows of a made-up or public table: columns of numbers or texts, labels, and weights if it has any."""

from __future__ import annotations

import csv
import lzma
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Column = NDArray  # of numbers, NaN where one is missing; or of texts, "" where one is missing
LABEL, WEIGHT = "class", "weight"


@dataclass(frozen=True)
class Rows:
    columns: list[Column]
    labels: NDArray[np.str_]
    weights: NDArray[np.float64] | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, which: NDArray) -> Rows:
        weights = None if self.weights is None else self.weights[which]
        return Rows([column[which] for column in self.columns], self.labels[which], weights)

    def unweighted(self) -> Rows:
        return replace(self, weights=None)


def texts(column: Column) -> list[str]:
    """Numbers with all their digits, so that the program reads the same bits."""
    if column.dtype.kind == "f":
        return ["" if value != value else repr(value) for value in column.tolist()]
    return [str(value) for value in column.tolist()]


def write_csv(path: Path, rows: Rows, names: list[str] | None = None) -> None:
    header = [*(names or [f"x{k}" for k in range(len(rows.columns))]), LABEL]
    cells = [*map(texts, rows.columns), texts(rows.labels)]
    if rows.weights is not None:
        header.append(WEIGHT)
        cells.append(texts(rows.weights))
    with path.open("w", newline="") as out:
        csv.writer(out).writerows([header, *zip(*cells, strict=True)])


def load_csv(path: Path) -> Rows:
    """A compressed file with a header, its last column the label. All columns are texts; <null> is a gap."""
    with lzma.open(path, "rt", newline="") as text:
        _, *body = csv.reader(text)
    *columns, labels = (np.array(values) for values in zip(*body, strict=True))
    return Rows([np.where(column == "<null>", "", column) for column in columns], labels)


def base_rates(rows: Rows, classes: list[str]) -> NDArray[np.float64]:
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights
    counts = np.array([weights[rows.labels == name].sum() for name in classes])
    return counts / counts.sum()


def losses(probabilities: NDArray[np.float64], labels: NDArray[np.str_], classes: list[str]) -> NDArray[np.float64]:
    """-log p(true class) of each row, clipped as `induce eval` does it."""
    place = {name: k for k, name in enumerate(classes)}
    true = probabilities[np.arange(len(labels)), [place[name] for name in labels.tolist()]]
    return -np.log(np.clip(true, 1e-15, 1 - 1e-15))


def standard_error(values: NDArray[np.float64], weights: NDArray[np.float64] | None = None) -> float:
    """Of the mean; weights lower the number of rows to (sum w)^2 / sum w^2."""
    count = len(values) if weights is None else weights.sum() ** 2 / (weights**2).sum()
    return float(values.std() / np.sqrt(count))
