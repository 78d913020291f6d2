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

    Two classes have one curve, towards the second class: `mean`, `lower` and `upper` are as long as `values`. So have
    ordered classes, towards the last. C >= 3 other classes have one each, on the latent function of the class minus
    the average of all: the arrays have shape (C, len(values)), and `mean[k]` belongs to `classes[k]`.
    """

    feature: str
    values: np.ndarray  # increasing, in the units of the data; texts of levels; dates as datetime64
    mean: np.ndarray
    lower: np.ndarray  # lower and upper: 95 % band
    upper: np.ndarray
    main: float
    total: float
    classes: np.ndarray  # of the curves: all, or of two or ordered ones the last
    missing: np.ndarray | None = None  # mean, lower and upper of a missing value: shape (3,) or (3, C); None: no gaps


@dataclass(frozen=True)
class PairEffect:
    """What two features do together, beyond the effects of both: averaged over either feature's rows it is 0.

    `mean[i, j]` belongs to `values[0][i]` of the first and `values[1][j]` of the second feature; with C >= 3 classes
    `mean[k, i, j]` to `classes[k]`. The last value is NaN, NaT or None where a missing value has a point of its own.
    """

    features: tuple[str, str]
    values: tuple[np.ndarray, np.ndarray]  # as those of an Effect
    mean: np.ndarray
    lower: np.ndarray  # lower and upper: 95 % band
    upper: np.ndarray
    classes: np.ndarray  # of the surfaces: all, or of two or ordered ones the last


def pairs_of(explanation: Any, columns: list[Column], classes: np.ndarray) -> list[PairEffect]:
    """From the core's tuples, in the kernel's order. `classes`: of the surfaces."""
    out = []
    for first, second, *values, mean, lower, upper in explanation[2]:
        shape = (len(values[0]), len(values[1])) if len(classes) == 1 else (len(classes), *map(len, values))
        pair = (columns[first], columns[second])
        shown = tuple(_shown(each, column) for each, column in zip(values, pair, strict=True))
        surfaces = (numbers.reshape(shape) for numbers in (mean, lower, upper))
        out.append(PairEffect((pair[0].name, pair[1].name), shown, *surfaces, classes=classes))
    return out


def terms_of(explanation: Any, columns: list[Column]) -> dict[str, float]:
    """Shares by name, the largest first."""
    shares = {"*".join(columns[f].name for f in features) or "joint": share for features, share in explanation[3]}
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def effects_of(explanation: Any, columns: list[Column], classes: np.ndarray) -> list[Effect]:
    """From the core's tuples, in feature order. `classes`: of the curves."""
    curves, importance, *_ = explanation
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
        texts = [*column.levels, OTHER]
        return np.array([None if np.isnan(value) else texts[int(value)] for value in values], dtype=object)
    if column.kind == "date":
        return np.round(values * MILLISECONDS_PER_DAY).astype("datetime64[ms]")
    return values
