"""The table of made-up problems: columns X, a logit of X, and what is wanted of a fit without options.

Labels are Bernoulli(sigmoid(logit)), so the NLL of the true probabilities is known: the least that a model can
expect. *Excess* is the NLL above it on the same test rows. A logit may draw its own constants from `rng`; all draws
depend on the seed only. A new problem is a function and a line in the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Array = NDArray[np.float64]
TEST_ROWS = 20_000
DECIMALS = 6  # of the columns, so that files stay small and all libraries get the same numbers
MARGIN = 0.01  # the excess may be above that of LightGBM's defaults by this, where nothing else is wanted


def normal(rng: Generator, n: int, d: int) -> Array:
    return rng.standard_normal((n, d))


def uniform(rng: Generator, n: int, d: int) -> Array:
    return rng.uniform(-2, 2, (n, d))


def lognormal(rng: Generator, n: int, d: int) -> Array:
    return np.exp(1.5 * rng.standard_normal((n, d)))


def binary(rng: Generator, n: int, d: int) -> Array:
    return rng.integers(0, 2, (n, d)).astype(float)


def digits(rng: Generator, n: int, d: int) -> Array:
    return rng.integers(0, 10, (n, d)).astype(float)


def all_kinds(rng: Generator, n: int, d: int) -> Array:
    """Column k is of kind k mod 5, in the order of the functions above."""
    kinds = (normal, uniform, lognormal, binary, digits)
    return np.concatenate([kinds[k % 5](rng, n, 1) for k in range(d)], axis=1)


def twelve(X: Array, rng: Generator) -> Array:
    smooth = 2 * np.sin(2 * X[:, 0]) + 1.5 * X[:, 1] * X[:, 2] + np.abs(X[:, 3])
    return smooth + 0.5 * X[:, 4] ** 2 - 1.5 + np.cos(3 * X[:, 5])


def waves(X: Array, rng: Generator) -> Array:
    return np.sin((2 + np.arange(6) / 2) * X[:, :6]).sum(axis=1)


def wide(X: Array, rng: Generator) -> Array:
    return 1.5 * np.cos(4 * X[:, 7]) + X[:, 31] - 0.5


def steps(X: Array, rng: Generator) -> Array:
    single = 2.0 * (X[:, 0] > 0.3) - 2.0 * (X[:, 1] < -0.5)
    return single + 1.5 * (X[:, 2] > 0) * (X[:, 3] > 0) + X[:, 4]


def curve(X: Array, rng: Generator) -> Array:
    return 2 * np.sin(2 * X[:, 0]) + X[:, 1]


def linear(X: Array, rng: Generator) -> Array:
    return X[:, :15] @ rng.uniform(-1, 1, 15)


def faint(X: Array, rng: Generator) -> Array:
    return 0.4 * X[:, 0] - 0.3 * X[:, 1]


def rings(X: Array, rng: Generator) -> Array:
    return 3 * np.cos(3 * np.hypot(X[:, 0], X[:, 1])) + 0.5 * X[:, 2]


def pairs(X: Array, rng: Generator) -> Array:
    return X[:, 0] * X[:, 1] - X[:, 2] * X[:, 3] + 0.7 * X[:, 4] * X[:, 5] + 0.5 * X[:, 6]


def signs(X: Array, rng: Generator) -> Array:
    return 1.5 * np.sign(X[:, 0] * X[:, 1]) + 1.0 * np.sign(X[:, 2]) - 0.5


def bumps(X: Array, rng: Generator) -> Array:
    """Ten Gaussian bumps of both signs in five features."""
    centres, heights = 1.2 * rng.standard_normal((10, 5)), np.where(np.arange(10) % 2, -5.0, 5.0)
    distances = ((X[:, None, :5] - centres) ** 2).sum(axis=2)
    return np.exp(-distances / 2) @ heights


def branches(X: Array, rng: Generator) -> Array:
    """A tree of depth three."""
    left = np.where(X[:, 1] > -0.5, 1.5, np.where(X[:, 2] > 0, -2.0, 0.5))
    right = np.where(X[:, 3] > 0.8, 2.0, np.where(X[:, 4] > 0, -1.5, 0.0))
    return np.where(X[:, 0] > 0.2, right, left)


def ripples(X: Array, rng: Generator) -> Array:
    return 2 * np.sin(4 * X[:, 0]) + 1.5 * np.cos(3 * X[:, 1]) * X[:, 2]


def stairs(X: Array, rng: Generator) -> Array:
    return 0.8 * np.floor(2 * X[:, 0]) - 0.6 * np.floor(X[:, 1]) + np.sin(3 * X[:, 2])


def tails(X: Array, rng: Generator) -> Array:
    return np.log(X[:, 0]) + 1.5 * np.sin(2 * np.log(X[:, 1])) - 1.5 * (X[:, 2] > 2) + 0.5


def bits(X: Array, rng: Generator) -> Array:
    single = (X[:, :8] - 0.5) @ rng.uniform(-1, 1, 8)
    return single + 2 * X[:, 8] * X[:, 9] - 2 * np.abs(X[:, 10] - X[:, 11]) + 0.5


def levels(X: Array, rng: Generator) -> Array:
    return rng.uniform(-1.5, 1.5, 10)[X[:, 0].astype(int)] + 0.3 * (X[:, 1] - 4.5) - 1.0 * (X[:, 2] < 3)


def mixed(X: Array, rng: Generator) -> Array:
    smooth = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 5] + 0.5 * np.log(X[:, 2])
    return smooth + 1.5 * (X[:, 3] - 0.5) * np.sign(X[:, 6]) - 1.0 * (X[:, 4] > 6)


def sixty(X: Array, rng: Generator) -> Array:
    smooth = np.sin(2 * X[:, 0]) + np.cos(3 * X[:, 1]) + X[:, 2] * X[:, 3]
    return smooth + 1.0 * (X[:, 4] > 0.5) - 1.0 * (X[:, 5] < 0) + 0.3 * X[:, 6:16].sum(axis=1)


def million(X: Array, rng: Generator) -> Array:
    return 1.5 * (2 * np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + X[:, 3] ** 2 - 1)


def many(X: Array, rng: Generator) -> Array:
    """Every feature interacts with two others: the excess falls with m for as long as there is time."""
    return 4 / 3 * np.sin(X * np.roll(X, -1, axis=1)).sum(axis=1)


@dataclass(frozen=True)
class Problem:
    rows: int  # for training
    features: int
    logit: Callable[[Array, Generator], Array]
    columns: Callable[[Generator, int, int], Array] = normal
    wanted: float | None = None  # largest excess; None: LightGBM's with its defaults, and MARGIN
    first: tuple[int, str] | None = None  # (k, feature): the feature is wanted among the first k by importance
    arguments: tuple[str, ...] = ()  # of induce fit
    trees: int = 100  # of LightGBM; 100 is its default
    pass_inducing: int = 0  # the time of the fit is also given in passes with this m

    @property
    def name(self) -> str:
        return self.logit.__name__


_TABLE = (
    Problem(48_000, 12, twelve, wanted=0.005, first=(6, "x5")),
    Problem(24_000, 30, waves, wanted=0.012),
    Problem(24_000, 60, wide, wanted=0.008),
    Problem(24_000, 20, steps, wanted=0.02),
    Problem(1_000, 4, curve),
    Problem(2_000, 30, linear),
    Problem(5_000, 50, faint),
    Problem(5_000, 4, rings),
    Problem(30_000, 10, pairs),
    Problem(20_000, 8, signs),
    Problem(12_000, 6, bumps),
    Problem(50_000, 10, branches, uniform),
    Problem(10_000, 5, ripples, uniform),
    Problem(100_000, 6, stairs, uniform),
    Problem(20_000, 12, tails, lognormal),
    Problem(8_000, 40, bits, binary),
    Problem(40_000, 15, levels, digits),
    Problem(60_000, 25, mixed, all_kinds),
    Problem(100_000, 60, sixty),
    Problem(950_000, 10, million, wanted=0.001, trees=400, pass_inducing=100),
    Problem(36_000, 8, many, arguments=("--max-time", "150")),
)

PROBLEMS = {problem.name: problem for problem in _TABLE}


@dataclass(frozen=True)
class Rows:
    X: Array
    y: NDArray[np.int64]
    p: Array  # the true probability of class 1


def nll(p: Array, y: NDArray[np.int64]) -> float:
    clipped = np.clip(p, 1e-15, 1 - 1e-15)
    return float(-np.mean(np.where(y == 1, np.log(clipped), np.log1p(-clipped))))


def make(problem: Problem, seed: int, test_rows: int = TEST_ROWS) -> tuple[Rows, Rows]:
    """Training and test rows."""
    for_columns, for_constants, for_labels = (np.random.default_rng([seed, use]) for use in range(3))
    n = problem.rows + test_rows
    X = np.round(problem.columns(for_columns, n, problem.features), DECIMALS)
    p = 1 / (1 + np.exp(-problem.logit(X, for_constants)))
    y = (for_labels.uniform(size=n) < p).astype(np.int64)
    cut = problem.rows
    return Rows(X[:cut], y[:cut], p[:cut]), Rows(X[cut:], y[cut:], p[cut:])
