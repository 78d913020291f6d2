"""The inputs of a graph, as skl2onnx has them: one matrix X for a table of numbers, otherwise one input per column.

A text of a category becomes the index of its level, the number of levels if training did not have it, or NaN if it is
missing: then the table is what the core reads (induce/columns.hpp).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import onnx
from onnx import helper

from .._table import Column
from .graph import Graph, Value

MATRIX = "X"
MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "None", "?", "<NA>")
LONGEST_NAME = 100


def table_of(graph: Graph, columns: Sequence[Column], real: int) -> tuple[Value, list[onnx.ValueInfoProto]]:
    """The table as doubles, and its inputs. `real`: the ONNX type of numbers."""
    if all(column.kind in ("number", "date") for column in columns):
        X = helper.make_tensor_value_info(MATRIX, real, [None, len(columns)])
        return Value(graph, MATRIX).double(), [X]
    inputs, values = [], []
    for name, column in zip(input_names(column.name for column in columns), columns, strict=True):
        is_text = column.kind in ("category", "boolean")
        inputs.append(helper.make_tensor_value_info(name, onnx.TensorProto.STRING if is_text else real, [None, 1]))
        given = Value(graph, name)
        values.append(_level_of(given, column) if is_text else given.double())
    return graph("Concat", *values, axis=1), inputs


def input_names(names: Iterable[str]) -> list[str]:
    """Names of columns where they are harmless and no other has them, otherwise column_0, column_1, ..."""
    given = list(names)
    safe = [name if _is_harmless(name) and given.count(name) == 1 else f"column_{k}" for k, name in enumerate(given)]
    return safe if len(set(safe)) == len(safe) else [f"column_{k}" for k in range(len(given))]


def _is_harmless(name: str) -> bool:
    return (
        0 < len(name) <= LONGEST_NAME
        and name.isprintable()  # no control characters, none that turn the direction of writing
        and not set(name) & set("<>&\"'`\\*/?")
        and name not in ("label", "probabilities")
    )


def _level_of(text: Value, column: Column) -> Value:
    spellings = {spelling: k for k, level in enumerate(column.levels) for spelling in _spellings(level, column.kind)}
    missing = [each for each in MISSING if each not in spellings]
    known = text.equals(np.array([[*spellings]], dtype=object)).double()
    others = float(len(column.levels))
    level = known @ (np.array([*spellings.values()], dtype=float)[:, None] - others) + others
    is_missing = text.equals(np.array([missing], dtype=object)).double().sum(1, keep=True) > 0.0
    return is_missing.where(np.nan, level)


def _spellings(level: str, kind: str) -> list[str]:
    if kind == "boolean":
        return [level, level.title(), level.upper(), str(int(level == "true")), str(float(level == "true"))]
    try:
        return [level, str(float(level))] if level == str(int(level)) else [level]
    except ValueError:
        return [level]


def described(columns: Sequence[Column], names: Sequence[str]) -> str:
    """Real names, kinds and levels, for the metadata: ASCII, and no sign that a page could take for a tag."""
    entries: list[dict[str, Any]] = [
        {"input": name, "column": column.name, "kind": column.kind, "levels": list(column.levels)}
        for name, column in zip(names, columns, strict=True)
    ]
    return ascii_json(entries)


def ascii_json(value: Any) -> str:
    text = json.dumps(value)
    for sign in "<>&'":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text
