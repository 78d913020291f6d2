"""Rows that belong together, groups, and their times: one number per row for the core."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import column_or_1d

from . import _core
from ._cells import is_missing
from ._frame import without


def taken_out(X: Any, groups: Any, time: Any) -> tuple[Any, np.ndarray | None, bool]:
    """X without the columns that these name, the number of each row's group, and whether groups are times."""
    if groups is None and time is None:
        return X, None, False
    if groups is not None and time is not None:
        raise _core.Error("groups and time cannot be used together")
    name, given = ("time", time) if groups is None else ("groups", groups)
    if isinstance(given, str):
        X, given = without(X, given, name)
    return X, _numbered(name, given), groups is None


def _numbered(name: str, given: Any) -> np.ndarray:
    values = column_or_1d(np.asarray(given), dtype=None)
    missing = np.flatnonzero([is_missing(value) for value in values.tolist()])
    if missing.size:
        raise _core.Error(f"{name} has no value in row {missing[0]}")
    try:
        return np.unique(values, return_inverse=True)[1].astype(np.intc).reshape(-1)
    except TypeError:
        raise _core.Error(f"{name} has values of types that have no order") from None
