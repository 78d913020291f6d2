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
from ._frame import Frame, shown

ID_ROWS = 20  # in fewer rows no column is taken for an id
ID_SHARE = 0.9  # of different texts
ROWS_FOR_DOUBT = 100_000  # tell whether numbers are ids


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


class Seen(NamedTuple):
    """What decides about a column. Tables in parts have one for each part, and their sum."""

    storage: str
    rows: int
    present: int  # cells that are not missing
    counts: dict[str, int] | None  # of each spelling; None: the numbers are used as they are


class Found(NamedTuple):
    """What a column is."""

    kind: str
    levels: list[str]
    values: np.ndarray | None  # of each spelling; None: the numbers are used as they are
    why_not: str  # the column is left out
    doubt: str  # what is odd about it


def learn(frame: Frame, choices: Choices) -> Table:
    """Find kinds and levels."""
    values, used = [], Used(frame.names, frame.count)
    for position, wish in enumerate(choices.wishes(frame.count, frame.names)):
        if wish == "dropped":
            continue
        cells = frame.cells(position)
        seen, index = look_at(cells, wish)
        found = used.add(position, wish, seen)
        if not found.why_not:
            values.append(column_of(cells, found.values, index))
            if found.kind == "number" and not wish:
                used.doubt(position, seen, values[-1])
    used.check()
    return Table(matrix_of(values), used.columns, used.warnings)


class Used:
    """The columns that a model uses, one after the other."""

    def __init__(self, names: list[str] | None, count: int):
        self.columns: list[Column] = []
        self.warnings: list[str] = []
        self._names = names
        self._count = count

    def add(self, position: int, wish: str, seen: Seen) -> Found:
        found = _decide(shown(self._names, position), wish, seen)
        self.warnings += [text for text in (found.why_not, found.doubt) if text]
        if not found.why_not:
            name = name_of(self._names, position)
            self.columns.append(Column(name, found.kind, tuple(found.levels), position))
        return found

    def doubt(self, position: int, seen: Seen, values: np.ndarray) -> None:
        """Warn of numbers that are ids or codes."""
        counts = seen.counts or {}
        padded = _core.padded_cells(list(counts), list(counts.values()))
        text = _core.doubt_about_numbers(shown(self._names, position), values[:ROWS_FOR_DOUBT].tolist(), padded)
        self.warnings += [text] if text else []

    def check(self) -> None:
        if not self.columns:
            raise _core.Error(
                f"no columns are left of the {self._count} of X" + "".join(f"; {each}" for each in self.warnings)
            )


def look_at(cells: Cells, wish: str) -> tuple[Seen, np.ndarray]:
    """What is seen, and the index of each cell's spelling; -1: missing."""
    if isinstance(cells.data, np.ndarray) and _are_used_as_they_are(cells, wish):
        present = int(np.count_nonzero(~np.isnan(cells.data)))
        return Seen(cells.storage, len(cells.data), present, None), np.empty(0, np.intp)
    spellings, index = cells.spelled()
    counts = np.bincount(index + 1, minlength=len(spellings) + 1)[1:].tolist()
    return Seen(cells.storage, len(index), sum(counts), dict(zip(spellings, counts, strict=True))), index


def column_of(cells: Cells, values: np.ndarray | None, index: np.ndarray) -> np.ndarray:
    return cells.data if values is None else _at(values, index)  # type: ignore[return-value]


def read(frame: Frame, columns: list[Column], names: list[str] | None, count: int, label: str) -> Table:
    """Read the columns of a model, fitted to `count` of them, by name if both have names, else by position."""
    positions = [column.position for column in columns]
    warnings = []
    if names and frame.names:
        positions, warnings = _found_by_name(frame.names, columns, names, label)
    elif frame.count != count:
        raise _core.Error(f"X has {frame.count} features, but the model was fitted with {count} features")
    values = [_read_column(frame.cells(k), column, warnings) for k, column in zip(positions, columns, strict=True)]
    return Table(matrix_of(values), columns, warnings)


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


def _are_used_as_they_are(cells: Cells, wish: str) -> bool:
    if wish == "number" or (wish == "no category" and cells.storage != "date"):
        _numbers(cells)  # dates are an error
        return True
    return not wish and cells.storage != "boolean"


def _decide(name: str, wish: str, seen: Seen) -> Found:
    kind, levels, values = _meaning(name, wish, seen)
    if values is None:
        return Found(kind, [], None, "" if seen.present else f"{name} has no values: left out", "")
    counts = np.array(list((seen.counts or {}).values()), dtype=np.int64)
    return Found(kind, levels, values, *_why_not(name, wish, kind, levels, values, counts, seen))


def _meaning(name: str, wish: str, seen: Seen) -> tuple[str, list[str], np.ndarray | None]:
    """Kind, levels, and the value of each spelling."""
    as_number = wish == "number" or (wish == "no category" and seen.storage != "date")
    if seen.counts is None:
        return "number" if as_number else seen.storage, [], None
    spellings = list(seen.counts)
    if as_number:
        return "number", [], _named(_core.numbers_of_texts, name, spellings)
    kind = seen.storage
    if wish == "category":
        kind = "category"
    elif kind == "text":
        kind = _named(_core.kind_of_texts, name, spellings)
    if kind == "number":
        return kind, [], _core.numbers_of_texts(spellings)
    if kind == "date":
        return kind, [], _core.dates_of_texts(spellings)
    levels, codes = _core.levels_of_texts(spellings)
    return kind, levels, _values(codes)


def _read_column(cells: Cells, column: Column, warnings: list[str]) -> np.ndarray:
    if column.kind == "number":
        return _numbers(cells)
    if column.kind == "date":
        return _dates(cells)
    spellings, index = cells.spelled()
    codes = np.array(_core.codes_of_texts(spellings, column.kind, list(column.levels)), dtype=np.intp)
    unknown = codes == len(column.levels)
    if count := np.count_nonzero(unknown):
        row = int(np.argmax(np.append(unknown, False)[index]))
        are = "value is" if count == 1 else "values are"
        first = f"the first '{spellings[index[row]]}' in row {row}"
        warnings.append(f"{cells.name}: {count} {are} unknown to the model, {first}")
    return _at(_values(codes), index)


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


def _values(codes: list[int] | np.ndarray) -> np.ndarray:
    doubles = np.array(codes, dtype=np.float64)
    return np.where(doubles < 0, np.nan, doubles)


def _why_not(
    name: str, wish: str, kind: str, levels: list[str], values: np.ndarray, counts: np.ndarray, seen: Seen
) -> tuple[str, str]:
    """Why the column is left out, and what is odd about it; empty if there is nothing to say."""
    known = ~np.isnan(values)
    present = counts[known].sum()
    if not present:
        return f"{name} has no values: left out", ""
    if wish or kind != "category" or seen.storage != "text":
        return "", ""
    if seen.rows >= ID_ROWS and len(levels) > ID_SHARE * present:
        found = f"{name} looks like an id, with {len(levels)} different texts in {seen.rows} rows: left out"
        return f"{found}; to use it, name it in categorical_features", ""
    numbers = _core.are_numbers(levels)
    of_level = np.bincount(values[known].astype(int), counts[known], len(levels))
    if 2 * of_level[numbers].sum() <= present:
        return "", _core.doubt_about_levels(name, len(levels), int(present), levels[0])
    odd = levels[numbers.index(False)]
    found = f"{name} is a category because not all of its values are numbers: '{odd}'"
    return "", f"{found}; if it is a quantity, make that a missing value"


def matrix_of(values: list[np.ndarray]) -> np.ndarray:
    matrix = np.empty((len(values[0]), len(values)))
    for k, column in enumerate(values):
        matrix[:, k] = column
    return matrix
