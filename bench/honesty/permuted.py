"""Random tables whose labels have nothing to do with their columns: the base rate is the best that can be said."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bench.honesty.fits import Program, fit, stated_against_fresh
from bench.honesty.rows import Column, Rows, base_rates, losses, standard_error
from bench.support.lines import Record, significant

ROWS, COLUMNS, CLASSES = (20, 5_000), (2, 3_000), (2, 5)
WIDE_SHARE, WIDE_ROWS, WIDE_COLUMNS = 0.25, (20, 200), (200, 3_000)  # where chance looks most like signal
CELLS = 200_000  # of the training table, so that a fit takes seconds
FRESH_CELLS, FRESH_ROWS = 2_000_000, (2_000, 20_000)


def log_uniform(rng: Generator, low: float, high: float) -> int:
    return round(math.exp(rng.uniform(math.log(low), math.log(high))))


Draw = Callable[[Generator, int], Column]


def normal(rng: Generator) -> Draw:
    return lambda rng, n: rng.standard_normal(n).round(6)


def heavy(rng: Generator) -> Draw:
    power = rng.uniform(0.5, 2.5)
    return lambda rng, n: np.exp(power * rng.standard_normal(n)).round(6)


def whole(rng: Generator) -> Draw:
    top = log_uniform(rng, 2, 1000)
    return lambda rng, n: rng.integers(0, top, n).astype(float)


def category(rng: Generator) -> Draw:
    shares = rng.dirichlet(np.ones(log_uniform(rng, 2, 30)))
    names = np.array([f"level{k}" for k in range(len(shares))])
    return lambda rng, n: names[rng.choice(len(shares), n, p=shares)]


def with_gaps(draw: Draw, share: float) -> Draw:
    def drawn(rng: Generator, n: int) -> Column:
        column = draw(rng, n).copy()
        column[rng.random(n) < share] = np.nan if column.dtype.kind == "f" else ""
        return column

    return drawn


@dataclass(frozen=True)
class Source:
    """Where the rows of a table come from."""

    columns: list[Draw]
    rates: NDArray[np.float64]  # of the classes
    pool: list[Column] | None  # rows are drawn from these, with replacement
    weights: Draw | None

    def draw(self, rng: Generator, n: int) -> Rows:
        if self.pool is None:
            columns = [draw(rng, n) for draw in self.columns]
        else:
            which = rng.integers(0, len(self.pool[0]), n)
            columns = [column[which] for column in self.pool]
        labels = np.array([f"c{k}" for k in range(len(self.rates))])[rng.choice(len(self.rates), n, p=self.rates)]
        return Rows(columns, labels, self.weights(rng, n) if self.weights else None)


def make_source(rng: Generator, n: int, d: int) -> Source:
    kinds = [(normal,), (heavy,), (whole,), (category,), (normal, heavy, whole, category)]
    among = kinds[rng.integers(len(kinds))]
    columns = [among[rng.integers(len(among))](rng) for _ in range(d)]
    if rng.random() < 0.4:
        columns = [with_gaps(draw, rng.uniform(0, 0.4)) if rng.random() < 0.5 else draw for draw in columns]
    classes = int(rng.integers(CLASSES[0], min(CLASSES[1], max(CLASSES[0], n // 20)) + 1))
    pool_rows = max(3, n // log_uniform(rng, 2, 50))
    pool = [draw(rng, pool_rows) for draw in columns] if rng.random() < 0.3 else None
    weights = [lambda rng, n: rng.exponential(1, n).round(4), lambda rng, n: rng.integers(0, 5, n).astype(float)]
    weighted = weights[rng.integers(2)] if rng.random() < 0.25 else None
    return Source(columns, rng.dirichlet(np.full(classes, 3.0)) * 0.8 + 0.2 / classes, pool, weighted)


def training_rows(source: Source, rng: Generator, n: int) -> Rows:
    """Drawn until each class has two rows that count."""
    while True:
        rows = source.draw(rng, n)
        counted = rows.labels if rows.weights is None else rows.labels[rows.weights > 0]
        if all((counted == f"c{k}").sum() >= 2 for k in range(len(source.rates))):
            return rows


def make(number: int) -> tuple[Rows, Rows]:
    """The table of this number, and fresh rows of its source."""
    rng = np.random.default_rng([30, number])
    rows, columns = (WIDE_ROWS, WIDE_COLUMNS) if rng.random() < WIDE_SHARE else (ROWS, COLUMNS)
    n = log_uniform(rng, *rows)
    d = log_uniform(rng, columns[0], min(columns[1], CELLS / n))
    source = make_source(rng, n, d)
    train = training_rows(source, rng, n)
    return train, source.draw(rng, int(np.clip(FRESH_CELLS // d, *FRESH_ROWS)))


def run(number: str, program: Program) -> Record:
    train, fresh = make(int(number))
    found = fit(program, train, fresh)
    record, of_model = stated_against_fresh(found, train, fresh)
    rates = base_rates(train, found.classes)
    of_base = losses(np.tile(rates, (len(fresh), 1)), fresh.labels, found.classes)
    return {
        "rows": len(train),
        "columns": len(train.columns),
        "classes": len(found.classes),
        "weighted": train.weights is not None,
        **record,
        "base": significant(float(-(rates * np.log(rates)).sum())),
        "excess": significant(float((of_model - of_base).mean())),
        "excess_error": significant(standard_error(of_model - of_base)),
        **found.facts(),
    }
