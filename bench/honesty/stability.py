"""The same small table 20 times, in ways that should not matter: digits, scale, order of rows and columns, seed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench.honesty.fits import Fit, Program, fit
from bench.honesty.rows import Rows, load_csv
from bench.support.lines import Record, significant

MOVED = 0.05  # a change of a probability that a reader notices
RANGE = 1.96  # latent standard deviations on both sides: 95 %


@dataclass(frozen=True)
class Variant:
    name: str
    train: Rows
    test: Rows
    names: list[str]
    seed: int = 0


def each_column(rows: Rows, change: Callable) -> Rows:
    numbers = [change(column) if column.dtype.kind == "f" else column for column in rows.columns]
    return replace(rows, columns=numbers)


def variants(train: Rows, test: Rows) -> Iterator[Variant]:
    names = [f"x{k}" for k in range(len(train.columns))]
    base = Variant("as it is", train, test, names)
    yield base

    def changed(name: str, change: Callable) -> Variant:
        return replace(base, name=name, train=each_column(train, change), test=each_column(test, change))

    yield changed("float32", lambda column: column.astype(np.float32).astype(np.float64))
    for more in ("+1e-9", "-1e-9", "+2e-9", "+1e-12"):
        yield changed(f"times 1{more}", lambda column, factor=1 + float(more): column * factor)
    for number in range(1, 5):
        order = np.random.default_rng(number).permutation(len(train))
        yield replace(base, name=f"rows in order {number}", train=train.take(order))
    for number in range(1, 5):
        order = np.random.default_rng(number).permutation(len(names))
        sides = [replace(rows, columns=[rows.columns[k] for k in order]) for rows in (train, test)]
        yield Variant(f"columns in order {number}", *sides, [names[k] for k in order])
    for seed in range(1, 7):
        yield replace(base, name=f"seed {seed}", seed=seed)


def split(rows: Rows, test_rows: int, seed: int = 0) -> tuple[Rows, Rows]:
    order = np.random.default_rng(seed).permutation(len(rows))
    return rows.take(order[test_rows:]), rows.take(order[:test_rows])


def breast_cancer(data: Path) -> tuple[Rows, Rows]:
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import train_test_split

    X, y = load_breast_cancer(return_X_y=True)
    parts = train_test_split(X, y, random_state=0, test_size=0.25)
    train, test = ((parts[k], parts[k + 2]) for k in (0, 1))
    return tuple(Rows(list(X.T), np.char.add("c", y.astype(str))) for X, y in (train, test))


def wine(data: Path) -> tuple[Rows, Rows]:
    from sklearn.datasets import load_wine

    X, y = load_wine(return_X_y=True)
    return split(Rows(list(X.T), np.where(y == 1, "c1", "c0")), 45)


def pima(data: Path) -> tuple[Rows, Rows]:
    rows = load_csv(data / "pima.csv.xz")
    return split(replace(rows, columns=[column.astype(float) for column in rows.columns]), 192)


def made_up(data: Path) -> tuple[Rows, Rows]:
    """300 rows with waves, an interaction, a category and gaps."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((500, 6))
    level = rng.integers(0, 4, 500)
    logit = 2 * np.sin(2 * X[:, 0]) + 1.5 * X[:, 1] * X[:, 2] + np.array([-1, 0, 0, 1.5])[level]
    label = np.where(rng.random(500) < 1 / (1 + np.exp(-logit)), "c1", "c0")
    X[rng.random(X.shape) < 0.05] = np.nan
    return split(Rows([*X.T, np.array(list("abcd"))[level]], label), 200)


TABLES = {"breast cancer": breast_cancer, "wine": wine, "pima": pima, "made up": made_up}
NEEDS = {"pima": "pima.csv.xz"}  # of the public tables


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def largest_change(base: Fit, found: Fit, low: np.ndarray, high: np.ndarray) -> Record:
    """The row whose probability changed most."""
    before, after = base.probabilities[:, 1], found.probabilities[:, 1]
    row = int(np.argmax(np.abs(after - before)))
    numbers = {"from": before[row], "to": after[row], "low": low[row], "high": high[row]}
    return {"row": row, **{name: round(float(value), 4) for name, value in numbers.items()}}


def candidates(choice: Record) -> dict[str, float]:
    """The bound of each, or its NLL if held-out rows decided; the chosen one first."""
    by = "nll" if choice["held_out"] else "bound"
    named = [(choice["chosen"], choice[by]), *((other["name"], other[by]) for other in choice["others"])]
    return {name: round(figure, 5) for name, figure in named}


def compare(base: Fit, found: Fit) -> Record:
    change = np.abs(found.probabilities[:, 1] - base.probabilities[:, 1])
    low, high = (sigmoid(base.latent_mean + side * RANGE * base.latent_deviation) for side in (-1, 1))
    p = found.probabilities[:, 1]
    return {
        **found.facts(),
        "stated": significant(found.stated["nll"]),
        "change": significant(float(change.max()), 3),
        "mean_change": significant(float(change.mean()), 3),
        "moved": int((change > MOVED).sum()),
        "contained": int(((low <= p) & (p <= high)).sum()),
        "largest": largest_change(base, found, low, high),
        "choices": [candidates(choice) for choice in found.summary["choices"]],
    }


def run(name: str, program: Program, data: Path) -> Record:
    train, test = TABLES[name](data)
    base, records = None, []
    for variant in variants(train, test):
        found = fit(program, variant.train, variant.test, ["--seed", str(variant.seed)], variant.names)
        base = base or found
        records.append({"variant": variant.name, **compare(base, found)})
        print(f"{name}, {variant.name}: change {records[-1]['change']:.3g}", file=sys.stderr, flush=True)
    return {"rows": len(train), "test_rows": len(test), "variants": records}
