"""Converts class labels of any type to 0, 1, ... for the core and to names for the model file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from numbers import Number
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


def order_of(y: Any) -> list[Any] | None:
    """The categories of an ordered pandas categorical, from the lowest; None for other labels."""
    dtype = getattr(y, "dtype", None)
    return list(dtype.categories) if getattr(dtype, "ordered", False) else None


def encoder(likelihood: Any, y: Any, given: Any = None) -> Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """encode(), or for ordered classes encode_ordered() with the order that is given, or with that of y, which an
    array of its values lacks."""
    if likelihood != "ordinal":
        if given is not None:
            raise _core.Error(f'order = {given!r}: needs likelihood = "ordinal", not {likelihood!r}')
        return encode
    if given is not None:
        return partial(encode_ordered, order=_checked_order(given), all_of_them=True)
    return partial(encode_ordered, order=order_of(y))


def _checked_order(given: Any) -> Sequence[Any]:
    order = given.tolist() if hasattr(given, "tolist") else given
    if not isinstance(order, Sequence) or isinstance(order, str):
        raise _core.Error(f"order = {given!r}: must be a list of all labels, from the lowest to the highest")
    if twice := [each for k, each in enumerate(order) if each in order[:k]]:
        raise _core.Error(f"order = {given!r}: '{name_of(twice[0])}' is in it twice")
    return order


def encode_ordered(
    y: np.ndarray, order: Sequence[Any] | None, all_of_them: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """As encode(), with the classes in this order, or in that of numbers. Categories without rows are left out.

    all_of_them: labels that are not in the order are an error.
    """
    classes, index = encode(y)
    if all_of_them and (missing := [each for each in classes.tolist() if each not in order]):
        raise _core.Error(f"order = {list(order)!r}: must list all labels; missing: '{name_of(missing[0])}'")
    if order is None or not set(classes.tolist()) <= set(order):  # dask need not know the categories
        numbers = classes.dtype.kind in "biuf" or all(isinstance(each, Number) for each in classes.tolist())
        if not numbers and len(classes) > 2:
            names = ", ".join(repr(name_of(each)) for each in classes[:4]) + (", ..." if len(classes) > 4 else "")
            raise _core.Error(
                f"likelihood = ordinal: the labels {names} have no order; give it, from the lowest to the highest: "
                "order=[...], or y = pandas.Categorical(y, categories=[...], ordered=True)"
            )
        return classes, index
    place = {each: k for k, each in enumerate(order)}
    new_to_old = np.array(sorted(range(len(classes)), key=lambda k: place[classes[k]]))
    return classes[new_to_old], np.argsort(new_to_old).astype(np.intc)[index]


def encode(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sorted classes and the class index of each row."""
    try:
        check_classification_targets(y)  # scikit-learn's own wording for continuous targets, which its checks expect
    except ValueError as error:
        numbers = np.asarray(y)
        if numbers.dtype.kind != "f" or not ((numbers >= 0) & (numbers <= 1)).all():
            raise
        raise ValueError(f"{error} If the labels are shares of successes, say so: fit(..., shares=True)") from None
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
    by_value = np.argsort(classes)  # ordered classes need not be sorted
    return by_value[np.searchsorted(classes, y, sorter=by_value)].astype(np.intc)


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
