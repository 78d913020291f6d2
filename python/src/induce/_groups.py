"""Rows that belong together, groups, and their times: one number per row for the core."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import column_or_1d

from . import _core
from ._cells import is_missing, of_objects
from ._frame import Frame, without
from ._table import Reading


def taken_out(X: Any, groups: Any, time: Any, dates: str = "") -> tuple[Any, np.ndarray | None, bool]:
    """X without the columns that these name, the number of each row's group, and whether groups are times.

    dates: how texts such as 01/02/2022 are read, "day-first", "month-first" or "".
    """
    if groups is None and time is None:
        return X, None, False
    if groups is not None and time is not None:
        raise _core.Error("groups and time cannot be used together")
    name, given = ("time", time) if groups is None else ("groups", groups)
    if isinstance(given, str):
        X, given = without(X, given, name)
    values = column_or_1d(np.asarray(given), dtype=None)
    _refuse_missing(name, values)
    if time is not None and any(isinstance(value, str) for value in values.tolist()):
        values = _numbers_of_texts(values, dates)
    return X, _numbered(name, values), groups is None


def _refuse_missing(name: str, values: np.ndarray) -> None:
    missing = np.flatnonzero([is_missing(value) for value in values.tolist()])
    if missing.size:
        raise _core.Error(f"{name} has no value in row {missing[0]}")


def _numbers_of_texts(values: np.ndarray, dates: str) -> np.ndarray:
    """Numbers and dates as in a column of features; a text that is neither has no order in time."""
    frame = Frame(["time"], lambda _: of_objects("time", values.tolist()), 1, len(values))
    X, (found, _) = Reading(["time"], 1, [0], [""], dates).reader().read(frame.stream([0]))
    if not found or found[0][1] not in ("number", "date"):
        raise _core.Error(f"time has texts such as {values[0]!r}: must be numbers or dates")
    _refuse_missing("time", X[:, 0])
    return X[:, 0]


def _numbered(name: str, values: np.ndarray) -> np.ndarray:
    try:
        return np.unique(values, return_inverse=True)[1].astype(np.intc).reshape(-1)
    except TypeError:
        raise _core.Error(f"{name} has values of types that have no order") from None
