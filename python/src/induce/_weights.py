"""Weights of rows, sample_weight, and of classes, class_weight."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from sklearn.utils import check_array
from sklearn.utils.class_weight import compute_class_weight

from . import _core


def class_weights(
    index: np.ndarray, classes: np.ndarray, weights: np.ndarray | None, class_weight: Any
) -> list[float]:
    """Return one weight per class, or none. `weights`: of rows."""
    if class_weight is None:
        return []
    weights = np.ones(len(index)) if weights is None else weights
    totals = [math.fsum(parts) for parts in totals_of_classes(index, weights, len(classes))]
    return per_class(classes, totals, class_weight).tolist()


def checked(sample_weight: Any, rows: int) -> np.ndarray:
    """Return the weights as an array, one per row and not negative."""
    weights = checked_part(sample_weight, rows)
    check_any(bool(weights.any()))
    return weights


def checked_part(sample_weight: Any, rows: int) -> np.ndarray:
    """The same for weights that may all be zero."""
    weights = check_array(
        sample_weight, dtype=np.float64, ensure_2d=False, ensure_all_finite=False, input_name="sample_weight"
    )
    if weights.shape != (rows,):
        raise _core.Error(f"sample_weight has shape {weights.shape}: must be ({rows},), one weight per row")
    wrong = np.flatnonzero(~((weights >= 0) & np.isfinite(weights)))
    if wrong.size:
        raise _core.Error(f"sample_weight is {weights[wrong[0]]} in row {wrong[0]}: must be a number of at least 0")
    return np.ascontiguousarray(weights)


def check_any(positive: bool) -> None:
    if not positive:
        raise _core.Error("sample_weight is zero for every row: at least one weight must be positive")


def totals_of_classes(index: np.ndarray, weights: np.ndarray, classes: int) -> list[list[float]]:
    """For each class a few numbers whose sum is exactly that of its weights, in any order of rows."""
    return [_exact_sum(weights[index == k].tolist()) for k in range(classes)]


def _exact_sum(values: list[float]) -> list[float]:
    parts: list[float] = []
    while rest := math.fsum([*values, *(-part for part in parts)]):
        parts.append(rest)
    return parts


def per_class(classes: np.ndarray, totals: list[float], class_weight: Any) -> np.ndarray:
    """A factor for each class; `totals`: the weights of its rows."""
    if isinstance(class_weight, str) and class_weight == "balanced":
        sums = np.array(totals)
        return math.fsum(totals) / (len(classes) * np.where(sums > 0, sums, 1))
    return compute_class_weight(class_weight, classes=classes, y=classes)
