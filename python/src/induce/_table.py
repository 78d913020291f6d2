"""Turns tables as people have them into what the core reads: doubles, with a kind and levels for each column.

A number is itself, a date is days since 1970, a category or boolean is the index of its level, NaN is missing. The
core decides what a text means, so a DataFrame and the CSV file it came from give the same table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from . import _core
from ._cells import Cells
from ._choices import Choices
from ._frame import Frame, shown

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


class Found(NamedTuple):
    """What a column is."""

    kind: str
    levels: list[str]
    values: np.ndarray | None  # of each spelling; None: the numbers are used as they are
    why_not: str  # the column is left out
    doubt: str  # what is odd about it
    padded: int  # numbers with leading zeros


def learn(frame: Frame, choices: Choices) -> Table:
    """Find kinds and levels."""
    schema = _core.Schema()
    values, used = [], Used(frame.names, frame.count)
    for position, wish in enumerate(choices.wishes(frame.count, frame.names)):
        if wish == "dropped":
            continue
        cells = frame.cells(position)
        index = look_at(schema, position, cells, wish)
        found = used.add(position, wish, schema)
        if not found.why_not:
            values.append(column_of(cells, found.values, index))
            if found.kind == "number" and not wish:
                used.doubt(position, found, values[-1])
    used.check()
    return Table(matrix_of(values), used.columns, used.warnings)


class Used:
    """The columns that a model uses, one after the other."""

    def __init__(self, names: list[str] | None, count: int):
        self.columns: list[Column] = []
        self.warnings: list[str] = []
        self._names = names
        self._count = count

    def add(self, position: int, wish: str, schema: _core.Schema) -> Found:
        found = Found(*schema.find(position, shown(self._names, position), wish))
        self.warnings += [text for text in (found.why_not, found.doubt) if text]
        if not found.why_not:
            name = name_of(self._names, position)
            self.columns.append(Column(name, found.kind, tuple(found.levels), position))
        return found

    def doubt(self, position: int, found: Found, values: np.ndarray) -> None:
        """Warn of numbers that are ids or codes."""
        name = shown(self._names, position)
        text = _core.doubt_about_numbers(name, values[:ROWS_FOR_DOUBT].tolist(), found.padded)
        self.warnings += [text] if text else []

    def check(self) -> None:
        if not self.columns:
            raise _core.Error(
                f"no columns are left of the {self._count} of X" + "".join(f"; {each}" for each in self.warnings)
            )


def look_at(schema: _core.Schema, position: int, cells: Cells, wish: str) -> np.ndarray:
    """Show the cells to the schema. Returns the index of each cell's spelling; -1: missing."""
    data = cells.data
    rows = len(data)
    as_texts = wish == "category" or (not wish and cells.storage == "boolean")
    if isinstance(data, np.ndarray) and not as_texts:
        schema.see_cells(position, cells.storage, rows, int(np.count_nonzero(~np.isnan(data))))
        return np.empty(0, np.intp)
    spellings, index = cells.spelled()
    counts = np.bincount(index + 1, minlength=len(spellings) + 1)[1:]
    first = np.zeros(len(spellings) + 1, np.intp)
    first[index[::-1]] = np.arange(rows)[::-1]  # the last assignment counts
    schema.see_texts(position, cells.storage, rows, spellings, counts.tolist(), first[:-1].tolist())
    return index


def column_of(cells: Cells, values: np.ndarray | None, index: np.ndarray) -> np.ndarray:
    """The value of each cell; NaN where the index is -1."""
    if values is not None:
        return np.append(values, np.nan)[index]
    return cells.data if isinstance(cells.data, np.ndarray) else np.full(len(cells.data), np.nan)


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


def _read_column(cells: Cells, column: Column, warnings: list[str]) -> np.ndarray:
    schema = _core.Schema()
    wish = "category" if column.levels else "number"
    index = look_at(schema, 0, cells, wish)
    found = Found(*schema.find(0, cells.name, wish, (column.kind, list(column.levels))))
    warnings += [found.doubt] if found.doubt else []
    return column_of(cells, found.values, index)


def matrix_of(values: list[np.ndarray]) -> np.ndarray:
    matrix = np.empty((len(values[0]), len(values)))
    for k, column in enumerate(values):
        matrix[:, k] = column
    return matrix
