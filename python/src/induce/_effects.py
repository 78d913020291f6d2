"""What each feature does: its effect on the latent function and its importance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._table import Column

OTHER = "other"  # all levels that are rare or not listed
MILLISECONDS_PER_DAY = 86_400_000


@dataclass(frozen=True)
class Effect:
    """The main effect of one feature: the latent function averaged over the other features, centred.

    It is in the units of the latent function (log odds for the logistic likelihood). `main` and `total` are shares of
    the variance of the latent function over rows whose value of the feature comes from another row, so at most 1: due
    to this curve, and including interactions.

    Two classes have one curve, towards the second class: `mean`, `lower` and `upper` are as long as `values`. C >= 3
    classes have one each, on the latent function of the class minus the average of all: the arrays have shape (C,
    len(values)), and `mean[k]` belongs to `classes[k]`.
    """

    feature: str
    values: np.ndarray  # increasing, in the units of the data; texts of levels; dates as datetime64
    mean: np.ndarray
    lower: np.ndarray  # lower and upper: 95 % band
    upper: np.ndarray
    main: float
    total: float
    classes: np.ndarray  # of the curves: all, or of two the second
    missing: np.ndarray | None = None  # mean, lower and upper of a missing value: shape (3,) or (3, C); None: no gaps


def effects_of(explanation: Any, columns: list[Column], classes: np.ndarray) -> list[Effect]:
    """From the core's tuples, in feature order."""
    curves, importance = explanation
    classes = classes[1:] if len(classes) == 2 else classes
    return [
        Effect(
            column.name,
            _shown(values, column),
            *curve,
            main=float(main),
            total=float(total),
            classes=classes,
            missing=None if not missing.size else missing[:, 0] if len(classes) == 1 else missing,
        )
        for column, (values, *curve, missing), (main, total) in zip(columns, curves, importance, strict=True)
    ]


def _shown(values: np.ndarray, column: Column) -> np.ndarray:
    """Values as the caller knows them."""
    if column.levels:
        return np.array([*column.levels, OTHER], dtype=object)[values.astype(int)]
    if column.kind == "date":
        return np.round(values * MILLISECONDS_PER_DAY).astype("datetime64[ms]")
    return values
