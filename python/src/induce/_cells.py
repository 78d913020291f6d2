"""Columns of NumPy arrays, pandas Series and Python objects in the layout of Apache Arrow. pyarrow is not needed, but
has the texts of pandas in that layout already."""

from __future__ import annotations

import datetime
import decimal
import numbers
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from . import _core

Storage = Literal["number", "boolean", "date", "text"]
ACCEPTED = "must be numbers, texts, categories, booleans or dates"


class Cells(NamedTuple):
    """https://arrow.apache.org/docs/format/CDataInterface.html"""

    format: str
    rows: int
    buffers: tuple[np.ndarray | None, ...]  # the first: a bit for each cell that is not missing; None: all are there
    levels: Cells | None = None


def nothing(rows: int) -> Cells:
    return Cells("n", rows, ())


def of_numbers(values: np.ndarray) -> Cells:
    """NaN is missing."""
    return Cells("g", len(values), (None, np.ascontiguousarray(values, dtype=np.float64)))


def _of_booleans(values: np.ndarray) -> Cells:
    """From 0, 1 and NaN."""
    return Cells("b", len(values), (_bits(~np.isnan(values)), _bits(values == 1)))


def _of_dates(moments: np.ndarray) -> Cells:
    """From datetime64 in microseconds, UTC."""
    return Cells("tsu:", len(moments), (_bits(~np.isnat(moments)), moments.view(np.int64)))


def _of_texts(texts: Sequence[str | None]) -> Cells:
    """An empty text is missing, too."""
    encoded = [b"" if text is None else text.encode("utf-8", "replace") for text in texts]
    ends = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, encoded), np.int64, len(encoded)), out=ends[1:])
    return Cells("U", len(encoded), (None, ends, np.frombuffer(b"".join((*encoded, b" ")), np.uint8)))


def _bits(values: np.ndarray) -> np.ndarray:
    return np.packbits(np.append(values, False), bitorder="little")  # not empty


def of_series(name: str, series: Any, storage: Storage | None = None) -> Any:
    """Of a pandas Series. `storage`: of objects, as in of_objects."""
    dtype = series.dtype
    if hasattr(dtype, "categories"):
        codes = series.cat.codes.to_numpy().astype(np.int64)
        return Cells("l", len(codes), (_bits(codes >= 0), codes), _of_texts(_texts(name, dtype.categories.tolist())))
    if hasattr(dtype, "pyarrow_dtype"):
        return _by_pyarrow(series)
    if dtype.kind in "iufb":
        doubles = series.to_numpy(dtype=np.float64, na_value=np.nan)
        return _of_booleans(doubles) if dtype.kind == "b" else of_numbers(doubles)
    if dtype.kind == "M":
        return _of_dates(series.to_numpy(dtype="datetime64[us]"))
    if dtype.kind != "O":
        raise _core.Error(f"{name} has the type {dtype}: {ACCEPTED}")
    if storage in (None, "text") and (texts := _by_pyarrow(series, only_texts=True)) is not None:
        return texts
    return of_objects(name, series.tolist(), storage)


def _by_pyarrow(series: Any, only_texts: bool = False) -> Any:
    """An Arrow array; None without pyarrow, or if `only_texts` and there is anything else."""
    try:
        import pyarrow as pa

        array = pa.array(series, from_pandas=True)
    except (ImportError, ValueError, TypeError, OverflowError):  # pyarrow's errors are ValueErrors and TypeErrors
        return None
    if only_texts and not (pa.types.is_string(array.type) or pa.types.is_large_string(array.type)):
        return None
    if isinstance(array, pa.ChunkedArray):  # large: the texts of all chunks may have more than 2 GB
        array = (array.cast(pa.large_string()) if pa.types.is_string(array.type) else array).combine_chunks()
    return array


def of_objects(name: str, values: Sequence[Any], storage: Storage | None = None) -> Cells:
    """Of Python objects: what all that are not missing have in common, or `storage` if that is known."""
    storage = storage or common_storage([storages_of(values)])
    if storage == "text":
        return _of_texts(_texts(name, values))
    if storage == "date":
        moments = [np.datetime64("NaT") if is_missing(value) else _moment(value) for value in values]
        return _of_dates(np.array(moments, dtype="datetime64[us]"))
    doubles = np.array([np.nan if is_missing(value) else float(value) for value in values])
    return _of_booleans(doubles) if storage == "boolean" else of_numbers(doubles)


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


def _moment(value: datetime.date | np.datetime64) -> np.datetime64:
    """In UTC; without a zone as it is."""
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return np.datetime64(value, "us")
