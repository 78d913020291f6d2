"""Two classes of any kind, as 0 and 1 for the core and as names for the model file."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from . import _core


def encode(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The classes in order, and each row's index among them."""
    check_classification_targets(y)
    kind = type_of_target(y, input_name="y", raise_unknown=True)
    if kind != "binary":
        # scikit-learn's own words, which its tests and users look for
        raise _core.Error(f"Only binary classification is supported. The type of the target is {kind}.")
    classes, index = np.unique(y, return_inverse=True)
    if len(classes) == 1:
        raise _core.Error(f"all labels are '{name_of(classes[0])}': two classes are needed")
    return classes, index.astype(np.intc).reshape(-1)


def name_of(label: Any) -> str:
    """As a CSV file would have it: the class 1.0 is written 1."""
    if isinstance(label, float | np.floating) and float(label).is_integer():
        return str(int(label))
    return str(label)


def classes_from_names(names: list[str]) -> np.ndarray:
    """What the names of a model that the command line made stand for: numbers where they read as numbers."""
    for kind in (int, float):
        try:
            return np.array([kind(name) for name in names])
        except ValueError:
            pass
    return np.array(names)
