"""Turns tables as people have them into what the core reads: doubles, with a kind and levels for each column.

A number is itself, a date is days since 1970, a category or boolean is the index of its level, NaN is missing. The
core decides what a column is, so a DataFrame and the file it came from give the same table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from . import _core
from ._choices import Choices
from ._frame import Frame

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


class Reading(NamedTuple):
    """How the columns of a table are read; see _core.TableReader."""

    names: list[str] | None
    count: int
    positions: list[int]
    wishes: list[str]
    dates: str
    known: list[tuple[str, list[str]]] | None = None
    spellings: tuple[int, ...] = ()

    def reader(self, threads: int = 0) -> _core.TableReader:
        given = self._replace(names=self.names or [], spellings=list(self.spellings))
        return _core.TableReader(*given, threads)


class Found(NamedTuple):
    """A column that is used."""

    position: int
    kind: str
    levels: list[str]
    spelling: int  # of its texts
    padded: int  # numbers with leading zeros


def to_learn(names: list[str] | None, count: int, choices: Choices) -> Reading:
    """Of all columns that are not dropped."""
    wishes = choices.wishes(count, names)
    positions = [k for k, wish in enumerate(wishes) if wish != "dropped"]
    if not positions:
        raise no_columns(count, [])
    return Reading(names, count, positions, [wishes[k] for k in positions], choices.order_of_dates())


def learn(frame: Frame, choices: Choices, threads: int = 0) -> Table:
    """Find kinds and levels."""
    reading = to_learn(frame.names, frame.count, choices)
    X, (found, warnings) = reading.reader(threads).read(frame.stream(reading.positions))
    columns = [Found(*each) for each in found]
    if not columns:
        raise no_columns(frame.count, warnings)
    values = {column.position: X[:ROWS_FOR_DOUBT, k] for k, column in enumerate(columns)}
    return Table(X, used(frame.names, columns), warnings + doubts(reading, columns, values))


def no_columns(count: int, warnings: list[str]) -> _core.Error:
    return _core.Error(f"no columns are left of the {count} of X" + "".join(f"; {each}" for each in warnings))


def used(names: list[str] | None, found: list[Found]) -> list[Column]:
    return [Column(name_of(names, each.position), each.kind, tuple(each.levels), each.position) for each in found]


def doubts(reading: Reading, found: list[Found], values: dict[int, np.ndarray]) -> list[str]:
    """Warnings of numbers that are ids or codes. `values`: by position, of the first ROWS_FOR_DOUBT rows."""
    reader, wishes = reading.reader(), dict(zip(reading.positions, reading.wishes, strict=True))
    texts = [
        reader.doubt(each.position, np.ascontiguousarray(values[each.position]), each.padded)
        for each in found
        if each.kind == "number" and not wishes[each.position] and each.position in values
    ]
    return [text for text in texts if text]


def read(
    frame: Frame,
    columns: list[Column],
    names: list[str] | None,
    count: int,
    label: str,
    dates: str = "",
    threads: int = 0,
) -> Table:
    """Read the columns of a model, fitted to `count` of them, by name if both have names, else by position."""
    positions = [column.position for column in columns]
    warnings = []
    if names and frame.names:
        positions, warnings = _found_by_name(frame.names, columns, names, label)
    elif frame.count != count:
        raise _core.Error(f"X has {frame.count} features, but the model was fitted with {count} features")
    reading = Reading(frame.names, frame.count, positions, [], dates, kinds_of(columns))
    X, (_, more) = reading.reader(threads).read(frame.stream(positions))
    return Table(X, columns, warnings + more)


def kinds_of(columns: list[Column]) -> list[tuple[str, list[str]]]:
    return [(column.kind, list(column.levels)) for column in columns]


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
