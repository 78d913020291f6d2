"""Costs of decisions as a matrix: a row for each true class, a column for each predicted one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _core
from ._warnings import warn


def of_model(estimator: Any, costs: Any = None) -> np.ndarray | None:
    """Return the matrix for a fitted estimator, by default of its own costs."""
    found = matrix(estimator.decision_costs if costs is None else costs, estimator.classes_)
    if found is not None and estimator.model_.class_weights:
        warn(
            "decision_costs: the model has class weights, which make rare classes frequent: costs then count rarity "
            "twice; use a model without them"
        )
    return found


def matrix(costs: Any, classes: np.ndarray) -> np.ndarray | None:
    """Return the matrix in the order of classes, or None without costs."""
    if costs is None:
        return None
    size = len(classes)
    if isinstance(costs, Mapping):
        place = {label: k for k, label in enumerate(classes.tolist())}
        values = 1.0 - np.eye(size)
        for truth, row in costs.items():
            if not isinstance(row, Mapping):
                raise _core.Error(f"decision_costs[{truth!r}] = {row!r}: must be a dict by predicted class")
            for predicted, cost in row.items():
                values[_place(place, truth), _place(place, predicted)] = cost
    else:
        values = np.asarray(costs, dtype=float)
    if values.shape != (size, size) or not np.isfinite(values).all():
        raise _core.Error(f"decision_costs = {costs!r}: must be {size} x {size} finite numbers")
    return values


def _place(place: dict[Any, int], label: Any) -> int:
    if label not in place:
        raise _core.Error(f"decision_costs: {label!r} is not a class; the classes are {list(place)}")
    return place[label]
