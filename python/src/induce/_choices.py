"""What the caller says about columns: categorical_features, numeric_features, drop, only and dates."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from . import _core

FROM_DTYPE = "from_dtype"
DATES = ("day-first", "month-first")


class Choices(NamedTuple):
    """Parameters of the estimator. Columns are given by names, by indices or by a mask."""

    categorical_features: Any = FROM_DTYPE
    numeric_features: Any = None
    drop: Any = None
    only: Any = None
    dates: Any = None

    def are_defaults(self) -> bool:
        """Whether an array of numbers needs no look at its columns."""
        from_dtype = self.categorical_features is None or _is_from_dtype(self.categorical_features)
        return from_dtype and self.numeric_features is None and self.drop is None and self.only is None

    def order_of_dates(self) -> str:
        if self.dates is None:
            return ""
        if self.dates not in DATES:
            raise _core.Error(f"dates = {self.dates!r}: must be None, 'day-first' or 'month-first'")
        return self.dates

    def wishes(self, columns: int, names: list[str] | None) -> list[str]:
        """For each column "category", "number", "dropped", "no category", or "" to go by its type."""

        def chosen(parameter: str) -> set[int]:
            return _positions(parameter, getattr(self, parameter), columns, names)

        from_dtype = _is_from_dtype(self.categorical_features)
        category = set() if from_dtype else chosen("categorical_features")
        number, dropped = chosen("numeric_features"), chosen("drop")
        if self.only is not None:
            dropped = dropped | (set(range(columns)) - chosen("only"))
        for position in sorted(category & number):
            name = repr(names[position]) if names else position
            raise _core.Error(
                f"column {name} is in categorical_features and in numeric_features: it can be only one of them"
            )
        rest = "no category" if self.categorical_features is None else ""
        return [
            "dropped" if k in dropped else "category" if k in category else "number" if k in number else rest
            for k in range(columns)
        ]


def _is_from_dtype(value: Any) -> bool:
    return isinstance(value, str) and value == FROM_DTYPE


def _positions(parameter: str, value: Any, columns: int, names: list[str] | None) -> set[int]:
    if value is None:
        return set()
    if isinstance(value, str | Integral):
        value = [value]
    if not isinstance(value, Iterable):
        raise _core.Error(f"{parameter} = {value!r}: must be column names, indices or a mask")
    given = list(value)
    if given and all(isinstance(each, bool | np.bool_) for each in given):
        if len(given) != columns:
            raise _core.Error(f"{parameter} is a mask of {len(given)} values: X has {columns} columns")
        return {k for k, each in enumerate(given) if each}
    return {_position(parameter, each, columns, names) for each in given}


def _position(parameter: str, column: Any, columns: int, names: list[str] | None) -> int:
    if isinstance(column, str):
        if names is None:
            raise _core.Error(f"{parameter} has the name {column!r}: X has no column names, so give indices")
        if column not in names:
            raise _core.Error(f"{parameter} has {column!r}: X has no such column")
        return names.index(column)
    if not isinstance(column, Integral) or isinstance(column, bool | np.bool_):
        raise _core.Error(f"{parameter} has {column!r}: must be a column name or index")
    if not -columns <= int(column) < columns:
        raise _core.Error(
            f"{parameter} has {column!r}: an index of a column must be between {-columns} and {columns - 1}"
        )
    return int(column) % columns
