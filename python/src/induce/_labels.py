"""Converts class labels of any type to 0, 1, ... for the core and to names for the model file."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from . import _core
from ._cells import is_missing


def refuse_missing(y: Any) -> None:
    """scikit-learn demands an error, so rows without a label are not left out as the command line does."""
    labels = np.asarray(y)
    if labels.dtype.kind == "O":
        missing = sum(is_missing(label) for label in labels.ravel().tolist())
    else:
        missing = int(np.count_nonzero(labels != labels))
    if missing and labels.ndim:  # None in place of y is scikit-learn's business
        raise _core.Error(
            f"Input y contains NaN: {missing} of {len(labels)} rows have no label; leave them out: "
            "rows = pandas.notna(y); fit(X[rows], y[rows])"
        )


def encode(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sorted classes and the class index of each row."""
    check_classification_targets(y)  # scikit-learn's own wording for continuous targets, which its checks expect
    classes, index = np.unique(y, return_inverse=True)
    if len(classes) == 1:
        raise _core.Error(f"all labels are '{name_of(classes[0])}': two classes are needed")
    return classes, index.astype(np.intc).reshape(-1)


def index_of(y: Any, classes: np.ndarray) -> np.ndarray:
    """Return the index of each label among the classes of a fit."""
    y = column_or_1d(y)
    known = np.isin(y, classes)
    if not known.all():
        first = int(np.argmin(known))
        raise _core.Error(f"label {first} is '{name_of(y[first])}', which is not a class of the model")
    return np.searchsorted(classes, y).astype(np.intc)


def counts(names: list[str], index: np.ndarray, weights: np.ndarray | None) -> list[dict[str, Any]]:
    """Rows of each class and the sums of their weights, as in the command line's JSON."""
    rows = np.bincount(index, minlength=len(names))
    weight = rows if weights is None else np.bincount(index, weights, minlength=len(names))
    return [
        {"name": name, "count": int(n), "weight": float(w)} for name, n, w in zip(names, rows, weight, strict=True)
    ]


def name_of(label: Any) -> str:
    """Return the name as in a CSV file: the class 1.0 is written 1."""
    if isinstance(label, float | np.floating) and float(label).is_integer():
        return str(int(label))
    return str(label)


def classes_from_names(names: list[str]) -> np.ndarray:
    """Return the classes of a model written by the command line: numbers if all names parse as numbers."""
    for kind in (int, float):
        try:
            return np.array([kind(name) for name in names])
        except ValueError:
            pass
    return np.array(names)
