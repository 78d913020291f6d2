"""One weight per row, from sample_weight and class_weight."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_array
from sklearn.utils.class_weight import compute_class_weight

from . import _core


def row_weights(index: np.ndarray, classes: np.ndarray, sample_weight: Any, class_weight: Any) -> np.ndarray | None:
    """Return one weight per row, or None if no weights are given."""
    if sample_weight is None and class_weight is None:
        return None
    weights = np.ones(len(index)) if sample_weight is None else checked(sample_weight, len(index))
    if class_weight is not None:
        weights = weights * _per_class(index, classes, weights, class_weight)[index]
    return np.ascontiguousarray(weights)


def checked(sample_weight: Any, rows: int) -> np.ndarray:
    """Return the weights as an array, one per row and not negative."""
    weights = check_array(sample_weight, dtype=np.float64, ensure_2d=False, input_name="sample_weight")
    if weights.shape != (rows,):
        raise _core.Error(f"sample_weight has shape {weights.shape}: must be ({rows},), one weight per row")
    if (weights < 0).any():
        raise _core.Error(f"sample_weight has a negative value, {weights.min()}: must be 0 or more")
    if not weights.any():
        raise _core.Error("sample_weight is zero for every row: at least one weight must be positive")
    return np.ascontiguousarray(weights)


def _per_class(index: np.ndarray, classes: np.ndarray, weights: np.ndarray, class_weight: Any) -> np.ndarray:
    if isinstance(class_weight, str) and class_weight == "balanced":
        totals = np.bincount(index, weights, minlength=len(classes))
        return totals.sum() / (len(classes) * np.where(totals > 0, totals, 1))
    return compute_class_weight(class_weight, classes=classes, y=classes[index])
