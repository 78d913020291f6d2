"""Tables whose columns have types: pandas, polars, pyarrow, DuckDB, dask and whatever else has the Arrow stream
interface or is known to narwhals, and arrays with texts. None of these libraries is required."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from typing import Any

import narwhals as nw
import numpy as np

from . import _core
from ._cells import nothing, of_numbers, of_objects, of_series


class Frame:
    """Rows that can be read once."""

    def __init__(
        self, names: list[str] | None, stream: _core.ArrowStream | Callable[[int], Any], count: int, rows: int
    ):
        """`stream`: of all columns, or what gives the cells of each."""
        self.names = names  # None if X has none, or they are not texts
        self.count = count
        self._stream = stream
        self._rows = rows

    def stream(self, used: Collection[int]) -> _core.ArrowStream:
        """Of all columns; those that are not used may hold anything."""
        if isinstance(self._stream, _core.ArrowStream):
            return self._stream
        cells = [self._stream(k) if k in used else nothing(self._rows) for k in range(self.count)]
        return _core.stream_of_cells(self.names or [""] * self.count, cells)


def shown(names: list[str] | None, position: int) -> str:
    """A column in a message."""
    return f"column '{names[position]}'" if names else f"column {position}"


def frame_of(X: Any, storages: list[Any] | None = None) -> Frame | None:
    """None if X has no columns with types of their own: an array or list of numbers, a sparse matrix, ...

    `storages`: of columns of objects, where more rows than these decide about them.
    """
    table = _table_of(X)
    if table is None:
        array = _array_with_texts(X)
        return None if array is None else frame_of_objects(array, storages)
    if not _is_pandas(table):
        stream = _core.stream_of(table)
        return Frame(_different(stream.names) or None, stream, len(stream.names), 0)
    names = text_names(_different(list(table.columns)))

    def cells(k: int) -> Any:
        return of_series(shown(names, k), table.iloc[:, k], storages[k] if storages else None)

    return Frame(names, cells, table.shape[1], len(table))


def frame_of_objects(X: np.ndarray, storages: list[Any] | None = None) -> Frame:
    def cells(k: int) -> Any:
        return of_objects(shown(None, k), X[:, k].tolist(), storages[k] if storages else None)

    return Frame(None, cells, X.shape[1], len(X))


def frame_of_numbers(X: np.ndarray) -> Frame:
    return Frame(None, lambda k: of_numbers(X[:, k]), X.shape[1], len(X))


def objects_of(X: Any, position: int) -> list[Any] | None:
    """The values of a column of Python objects; None for any other."""
    if isinstance(X, np.ndarray):
        return X[:, position].tolist()
    column = X.iloc[:, position] if _is_pandas(X) else None
    return column.tolist() if column is not None and column.dtype == object else None


def without(X: Any, label: str, what: str = "y") -> tuple[Any, Any]:
    """A table without a column, that of labels or what else the argument `what` names, and its values."""
    table = _table_of(X)
    if table is None:
        raise _core.Error(f"{what} = {label!r} is the name of a column: X must be a table whose columns have names")
    known = nw.from_native(table, pass_through=True)
    if not isinstance(known, nw.DataFrame):
        known = nw.from_arrow(table, backend="pyarrow")
    if label not in known.columns:
        raise _core.Error(f"{what} = {label!r}: X has no such column")
    return known.drop(label).to_native(), known[label].to_numpy()


def _is_pandas(X: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def _table_of(X: Any) -> Any:
    """A pandas DataFrame, or something with the Arrow stream interface; None if X is no table."""
    X = nw.to_native(X, pass_through=True)
    if _is_pandas(X):
        return X
    if hasattr(X, "__arrow_c_stream__"):
        is_series = nw.from_native(X, series_only=True, pass_through=True) is not X
        return None if is_series else X
    known = nw.from_native(X, pass_through=True)
    if known is X:
        return None
    frame = known.collect() if isinstance(known, nw.LazyFrame) else known
    native = frame.to_native()
    return native if _is_pandas(native) or hasattr(native, "__arrow_c_stream__") else frame.to_pandas()


def _different(names: list[Any]) -> list[Any]:
    if len(set(names)) < len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise _core.Error(f"two columns are called '{twice}'; names must differ")
    return names


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
