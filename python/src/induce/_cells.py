"""One column of a table as the caller has it, before it is known how the model will see it."""

from __future__ import annotations

import datetime
import decimal
import numbers
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import narwhals as nw
import numpy as np

from . import _core

Storage = Literal["number", "boolean", "date", "category", "text"]
MICROSECONDS = 1_000_000
DAY = 86_400  # seconds
ACCEPTED = "must be numbers, texts, categories, booleans or dates"


@dataclass(frozen=True)
class Cells:
    name: str  # for messages, such as: column 'age'
    storage: Storage
    data: (
        np.ndarray | list[str | None]
    )  # doubles with NaN for missing, or texts; booleans are 0 and 1, dates are days

    def spelled(self) -> tuple[list[str], np.ndarray]:
        """The different spellings, and the index of each cell's; -1: missing."""
        if isinstance(self.data, np.ndarray):
            present = ~np.isnan(self.data)
            values, which = np.unique(self.data[present], return_inverse=True)
            index = np.full(len(self.data), -1)
            index[present] = which
            return [self._spelling(value) for value in values.tolist()], index
        numbered: dict[str | None, int] = {None: -1}
        index = np.fromiter(
            (numbered.setdefault(text, len(numbered) - 1) for text in self.data), np.intp, len(self.data)
        )
        return list(numbered)[1:], index  # type: ignore[arg-type]

    def _spelling(self, value: float) -> str:
        if self.storage == "boolean":
            return "true" if value else "false"
        if self.storage == "date":
            moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(days=value)
            return str(moment.date() if value == np.floor(value) else moment)
        return repr(value)


def cells_of_numbers(name: str, values: np.ndarray, storage: Storage = "number") -> Cells:
    values = np.asarray(values, dtype=np.float64)
    if np.isinf(values).any():
        raise _core.Error(f"{name}: {values[np.isinf(values)][0]} is infinite; values must be finite")
    return Cells(name, storage, values)


def cells_of_series(name: str, series: nw.Series[Any], storage: Storage | None = None) -> Cells:
    """`storage`: of objects, as in cells_of_values."""
    dtype = series.dtype
    if dtype.is_numeric():
        return cells_of_numbers(name, series.cast(nw.Float64).to_numpy())
    if dtype == nw.Boolean:
        return cells_of_numbers(name, series.cast(nw.Float64).to_numpy(), "boolean")
    if dtype == nw.Date or dtype == nw.Datetime:
        return Cells(name, "date", _days(series))
    if dtype == nw.Categorical or dtype == nw.Enum:
        return Cells(name, "category", _texts(name, series.to_list()))
    if dtype == nw.String:
        return Cells(name, "text", _texts(name, series.to_list()))
    if has_objects(series):
        return cells_of_values(name, series.to_list(), storage)
    raise _core.Error(f"{name} has the type {dtype}: {ACCEPTED}")


def has_objects(series: nw.Series[Any]) -> bool:
    return series.dtype == nw.Object or series.dtype == nw.Unknown


def cells_of_values(name: str, values: Sequence[Any], storage: Storage | None = None) -> Cells:
    """From Python objects: what all that are not missing have in common, or `storage` if that is known."""
    storage = storage or common_storage([storages_of(values)])
    if storage == "text":
        return Cells(name, "text", _texts(name, values))
    convert = _days_of if storage == "date" else float
    doubles = [np.nan if is_missing(value) else convert(value) for value in values]
    return cells_of_numbers(name, np.array(doubles), storage)


def storages_of(values: Sequence[Any]) -> set[Storage] | None:
    """What all values that are not missing can be, apart from texts; None if all are missing."""
    present = [value for value in values if not is_missing(value)]
    if not present:
        return None
    return {storage for storage, kinds in _OBJECTS.items() if all(isinstance(value, kinds) for value in present)}


def common_storage(parts: Iterable[set[Storage] | None]) -> Storage:
    """Of the parts of a column, from what each can be."""
    known = [part for part in parts if part is not None]
    return next((each for each in _OBJECTS if known and all(each in part for part in known)), "text")


_OBJECTS: dict[Storage, tuple[type, ...]] = {  # in this order: a bool is a number, too
    "boolean": (bool, np.bool_),
    "number": (numbers.Real, decimal.Decimal),
    "date": (datetime.date, np.datetime64),
}


def _texts(name: str, values: Sequence[Any]) -> list[str | None]:
    texts: list[str | None] = []
    for value in values:
        if isinstance(value, str):
            texts.append(value)
        elif is_missing(value):
            texts.append(None)
        elif getattr(value, "__hash__", None) is None or isinstance(value, bytes | complex):
            raise _core.Error(f"{name} holds {value!r}, of type {type(value).__name__}: {ACCEPTED}")
        else:
            texts.append(str(value))
    return texts


def is_missing(value: Any) -> bool:
    """None, NaN, pandas.NA or NaT. Texts such as NA are the core's business."""
    if value is None or isinstance(value, float):
        return value is None or value != value
    return type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, np.generic) and bool(value != value))


def _days(series: nw.Series[Any]) -> np.ndarray:
    """Days since 1970-01-01 UTC; the sum is that of the CSV reader, so the bits agree."""
    moments = series.cast(nw.Datetime("us")) if series.dtype == nw.Date else series
    microseconds = moments.dt.timestamp("us").cast(nw.Float64).to_numpy()
    days = np.floor(microseconds / (DAY * MICROSECONDS))
    return days + (microseconds - days * (DAY * MICROSECONDS)) / MICROSECONDS / DAY


def _days_of(value: datetime.date | np.datetime64) -> float:
    return _core.date_of_text(str(value))
