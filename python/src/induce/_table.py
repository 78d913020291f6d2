"""Turns tables as people have them into what the core reads: doubles, with a kind and levels for each column.

A number is itself, a date is days since 1970, a category or boolean is the index of its level, NaN is missing. The
core decides what a text means, so a DataFrame and the CSV file it came from give the same table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._cells import Cells
from ._choices import Choices
from ._frame import Frame

ID_ROWS = 20  # in fewer rows no column is taken for an id
ID_SHARE = 0.9  # of different texts


@dataclass(frozen=True)
class Column:
    """A column that the model uses."""

    name: str
    kind: str  # "number", "category", "boolean" or "date"
    levels: tuple[str, ...]  # of a category or boolean, sorted
    position: int  # in X


class Table(NamedTuple):
    X: np.ndarray  # of doubles, one column each
    columns: list[Column]
    warnings: list[str]


def number_columns(names: list[str] | None, count: int) -> list[Column]:
    return [Column(name_of(names, k), "number", (), k) for k in range(count)]


def name_of(names: list[str] | None, position: int) -> str:
    return names[position] if names else f"feature {position}"


def learn(frame: Frame, choices: Choices) -> Table:
    """Find kinds and levels."""
    values, columns, warnings = [], [], []
    for position, wish in enumerate(choices.wishes(frame.count, frame.names)):
        if wish == "dropped":
            continue
        cells = frame.cells(position)
        kind, levels, doubles = _learn_column(cells, wish)
        why_not, doubt = _why_not(cells, wish, kind, levels, doubles)
        warnings += [text for text in (why_not, doubt) if text]
        if why_not:
            continue
        values.append(doubles)
        columns.append(Column(name_of(frame.names, position), kind, tuple(levels), position))
    if not columns:
        raise _core.Error(
            f"no columns are left of the {frame.count} of X" + "".join(f"; {each}" for each in warnings)
        )
    return Table(_matrix(values), columns, warnings)


def read(frame: Frame, columns: list[Column], names: list[str] | None, count: int, label: str) -> Table:
    """Read the columns of a model, fitted to `count` of them, by name if both have names, else by position."""
    positions = [column.position for column in columns]
    warnings = []
    if names and frame.names:
        positions, warnings = _found_by_name(frame.names, columns, names, label)
    elif frame.count != count:
        raise _core.Error(f"X has {frame.count} features, but the model was fitted with {count} features")
    values = [_read_column(frame.cells(k), column) for k, column in zip(positions, columns, strict=True)]
    return Table(_matrix(values), columns, warnings)


def _found_by_name(
    have: list[str], columns: list[Column], names: list[str], label: str
) -> tuple[list[int], list[str]]:
    where = {name: k for k, name in enumerate(have)}
    absent = [column.name for column in columns if column.name not in where]
    if absent:
        raise _core.Error(f"X lacks {_listed(absent)}, which the model was fitted with; it has {_listed(have)}")
    extra = [name for name in have if name not in {*names, label}]
    warnings = [f"X has {_listed(extra)}, which the model was not fitted with: ignored"] if extra else []
    return [where[column.name] for column in columns], warnings


def _listed(names: list[str], most: int = 10) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"column{'s' if len(names) > 1 else ''} " + ", ".join(f"'{name}'" for name in names[:most]) + more


def _learn_column(cells: Cells, wish: str) -> tuple[str, list[str], np.ndarray]:
    """Kind, levels and values."""
    kind = cells.storage
    if wish == "number" or (wish == "no category" and kind != "date"):
        return "number", [], _numbers(cells)
    if isinstance(cells.data, np.ndarray) and not wish and kind != "boolean":
        return kind, [], cells.data
    spellings, index = cells.spelled()
    if wish == "category":
        kind = "category"
    elif kind == "text":
        kind = _named(_core.kind_of_texts, cells.name, spellings)
    if kind == "number":
        return kind, [], _at(_core.numbers_of_texts(spellings), index)
    if kind == "date":
        return kind, [], _at(_core.dates_of_texts(spellings), index)
    levels, codes = _core.levels_of_texts(spellings)
    return kind, levels, _coded(codes, index)


def _read_column(cells: Cells, column: Column) -> np.ndarray:
    if column.kind == "number":
        return _numbers(cells)
    if column.kind == "date":
        return _dates(cells)
    spellings, index = cells.spelled()
    return _coded(_core.codes_of_texts(spellings, column.kind, list(column.levels)), index)


def _numbers(cells: Cells) -> np.ndarray:
    if isinstance(cells.data, np.ndarray) and (cells.storage != "date" or np.isnan(cells.data).all()):
        return cells.data
    if cells.storage == "date":
        raise _core.Error(f"{cells.name} has dates: it must have numbers")
    spellings, index = cells.spelled()
    return _at(_named(_core.numbers_of_texts, cells.name, spellings), index)


def _dates(cells: Cells) -> np.ndarray:
    if isinstance(cells.data, np.ndarray):
        if cells.storage != "date" and not np.isnan(cells.data).all():
            raise _core.Error(f"{cells.name} has {cells.storage}s: it must have dates")
        return cells.data
    spellings, index = cells.spelled()
    return _at(_named(_core.dates_of_texts, cells.name, spellings), index)


def _named(read: Callable[[list[str]], Any], name: str, spellings: list[str]) -> Any:
    """What the core makes of the texts; its errors name the column."""
    try:
        return read(spellings)
    except _core.Error as error:
        raise _core.Error(f"{name}: {error}") from None


def _at(values: np.ndarray, index: np.ndarray) -> np.ndarray:
    """The value of each cell; NaN where the index is -1."""
    return np.append(values, np.nan)[index]


def _coded(codes: list[int], index: np.ndarray) -> np.ndarray:
    doubles = np.array(codes, dtype=np.float64)
    return _at(np.where(doubles < 0, np.nan, doubles), index)


def _why_not(cells: Cells, wish: str, kind: str, levels: list[str], values: np.ndarray) -> tuple[str, str]:
    """Why the column is left out, and what is odd about it; empty if there is nothing to say."""
    present = np.count_nonzero(~np.isnan(values))
    if not present:
        return f"{cells.name} has no values: left out", ""
    if wish or kind != "category" or cells.storage != "text":
        return "", ""
    if len(values) >= ID_ROWS and len(levels) > ID_SHARE * present:
        found = f"{cells.name} looks like an id, with {len(levels)} different texts in {len(values)} rows: left out"
        return f"{found}; to use it, name it in categorical_features", ""
    numbers = _core.are_numbers(levels)
    counts = np.bincount(values[~np.isnan(values)].astype(int))
    if 2 * counts[numbers].sum() <= present:
        return "", ""
    odd = levels[numbers.index(False)]
    found = f"{cells.name} is a category because not all of its values are numbers: '{odd}'"
    return "", f"{found}; if it is a quantity, make that a missing value"


def _matrix(values: list[np.ndarray]) -> np.ndarray:
    matrix = np.empty((len(values[0]), len(values)))
    for k, column in enumerate(values):
        matrix[:, k] = column
    return matrix
