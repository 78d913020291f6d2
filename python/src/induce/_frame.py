"""Tables whose columns have names and types: pandas, polars, pyarrow, dask and whatever else narwhals knows or offers
the Arrow stream interface. None of these libraries is required."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import narwhals as nw
import numpy as np
from narwhals.exceptions import DuplicateError

from . import _core
from ._cells import Cells, Storage, cells_of_numbers, cells_of_series, cells_of_values, has_objects

ARROW_READERS = ("pyarrow", "polars", "pandas")  # any of them can read an Arrow stream


class Frame:
    """Columns that are converted when they are asked for, so one that is not used may hold anything."""

    def __init__(self, rows: int, names: list[str] | None, columns: Sequence[Any], convert: Callable[..., Cells]):
        self.rows = rows
        self.names = names  # None if X has none, or they are not texts
        self.count = len(columns)
        self._columns = columns
        self._convert = convert

    def cells(self, position: int, storage: Storage | None = None) -> Cells:
        """`storage`: of objects, where more rows than these decide about it."""
        known = {} if storage is None else {"storage": storage}
        return self._convert(shown(self.names, position), self._columns[position], **known)

    def objects(self, position: int) -> Sequence[Any] | None:
        """The values of a column of Python objects; None for any other."""
        column = self._columns[position]
        if isinstance(column, nw.Series):
            return column.to_list() if has_objects(column) else None
        return column if self._convert is cells_of_values else None


def shown(names: list[str] | None, position: int) -> str:
    """A column in a message."""
    return f"column '{names[position]}'" if names else f"column {position}"


def frame_of(X: Any) -> Frame | None:
    """None if X has no columns with types of their own: an array or list of numbers, a sparse matrix, ..."""
    frame = _narwhals_frame(X)
    if frame is not None:
        return Frame(len(frame), text_names(frame.columns), list(frame.iter_columns()), cells_of_series)
    array = _array_with_texts(X)
    return None if array is None else frame_of_objects(array)


def frame_of_objects(X: np.ndarray) -> Frame:
    return Frame(len(X), None, X.T.tolist(), cells_of_values)


def frame_of_numbers(X: np.ndarray) -> Frame:
    return Frame(len(X), None, X.T, cells_of_numbers)


def _narwhals_frame(X: Any) -> nw.DataFrame[Any] | None:
    try:
        frame = nw.from_native(X)
    except DuplicateError:
        names = [str(name) for name in getattr(X, "column_names", None) or X.columns]
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise _core.Error(f"two columns are called '{twice}'; names must differ") from None
    except TypeError:
        if not hasattr(X, "__arrow_c_stream__") or _is_series(X):
            return None
        return nw.from_arrow(X, backend=_arrow_reader())
    return frame.collect() if isinstance(frame, nw.LazyFrame) else frame


def _is_series(X: Any) -> bool:
    return nw.from_native(X, series_only=True, pass_through=True) is not X


def _arrow_reader() -> str:
    for name in ARROW_READERS:
        if find_spec(name):
            return name
    raise _core.Error("X is an Arrow stream: to read it, install pyarrow (pip install pyarrow)")


def text_names(names: list[Any]) -> list[str] | None:
    """As in scikit-learn, names count if all are texts, and a mixture is an error."""
    other = [name for name in names if not isinstance(name, str)]
    if other and len(other) < len(names):
        raise TypeError(
            f"column names of X must be all texts or no texts: {other[0]!r} is a {type(other[0]).__name__}"
        )
    return None if other or not names else names


def _array_with_texts(X: Any) -> np.ndarray | None:
    """X as an array of objects, if it is a two-dimensional array or list that has texts."""
    if not isinstance(X, np.ndarray | list | tuple) or (isinstance(X, np.ndarray) and X.dtype.kind not in "OUT"):
        return None
    try:
        array = np.asarray(X, dtype=object)
    except ValueError:  # rows of different lengths
        return None
    return array if array.ndim == 2 and has_texts(array) else None


def has_texts(array: np.ndarray) -> bool:
    return any(isinstance(value, str) for value in array.flat)
