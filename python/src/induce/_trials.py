"""Labels that are not classes: successes of trials, or shares."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import column_or_1d

from . import _core
from ._frame import without

CLASSES = np.array([0, 1])  # failure and success


class Counts(NamedTuple):
    """One number per row."""

    successes: np.ndarray
    trials: np.ndarray | None  # None: shares

    def split(self, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """Class and weight of each row of the table in which successes and failures are rows of their own."""
        all_of = np.ones(len(self.successes)) if self.trials is None else self.trials
        parts = np.concatenate([all_of - self.successes, self.successes])
        index = np.repeat(np.arange(2, dtype=np.intc), len(self.successes))
        used = parts != 0
        return index[used], (parts if weights is None else parts * np.tile(weights, 2))[used]


def taken_out(X: Any, trials: Any, shares: bool) -> tuple[Any, Any]:
    """X without the column that `trials` names, and the trials of each row."""
    if trials is not None and shares:
        raise _core.Error("trials and shares cannot be used together: sample_weight gives shares weights")
    return without(X, trials, "trials") if isinstance(trials, str) else (X, trials)


def counts_of(y: Any, trials: Any, classes: np.ndarray = CLASSES) -> Counts:
    if not np.array_equal(classes, CLASSES):
        raise _core.Error(f"trials and shares are for the classes 0 and 1; the model has {classes.tolist()}")
    counts = Counts(_numbers("y", y), None if trials is None else _numbers("trials", trials))
    if trials is not None and len(counts.trials) != len(counts.successes):
        raise _core.Error(f"trials has {len(counts.trials)} numbers for {len(counts.successes)} rows")
    if trials is not None and len(counts.trials) and not counts.trials.any():
        raise _core.Error("no row has trials: all are 0")
    return counts


def _numbers(name: str, given: Any) -> np.ndarray:
    try:
        return np.ascontiguousarray(column_or_1d(np.asarray(given), dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise _core.Error(f"{name} must be one number per row: {error}") from None
