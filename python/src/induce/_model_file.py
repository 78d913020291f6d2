"""What Python keeps beside the model in its file.

The tensors, and with them every prediction, are the core's. Python adds one entry to the file's metadata: the
estimator's parameters, its classes with their type, and how the fit went. Other readers pass it over.
"""

from __future__ import annotations

import ast
import json
import os
from typing import Any

import numpy as np

from ._parameters import OPTIONS

ENTRY = "python"
OF_ONE_FIT = [option["name"] for option in OPTIONS if option["kind"] == "path"]  # no model may name a file
LARGEST_CLASS = 1 << 16  # bytes

# What restoring raises where a stranger wrote the entry: texts and numbers may stand for anything.
BROKEN = (AttributeError, IndexError, KeyError, MemoryError, RecursionError, SyntaxError, TypeError, ValueError)


def notes(parameters: dict[str, Any], classes: np.ndarray, report: dict[str, Any] | None) -> dict[str, str]:
    entry = {
        "parameters": {
            name: repr(value) for name, value in parameters.items() if name not in OF_ONE_FIT and _is_literal(value)
        },
        "classes": {"dtype": classes.dtype.str, "values": classes.tolist()},
        "report": report,
    }
    return {ENTRY: json.dumps(entry, default=_plain)}


def read_notes(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Empty if Python did not write the file."""
    with open(path, "rb") as file:
        header = file.read(int.from_bytes(file.read(8), "little"))
    entry = json.loads(header)["__metadata__"].get(ENTRY)
    return json.loads(entry) if entry else {}


def restored_parameters(entry: dict[str, str]) -> dict[str, Any]:
    """Literals, since JSON would turn tuples into lists and the keys of a dict into text."""
    return {name: ast.literal_eval(value) for name, value in entry.items() if name not in OF_ONE_FIT}


def restored_classes(entry: dict[str, Any]) -> np.ndarray:
    dtype = np.dtype(entry["dtype"])
    if dtype.itemsize > LARGEST_CLASS or len(entry["values"]) != 2:
        raise ValueError("these are not two classes")
    return np.array(entry["values"], dtype=dtype)


def restored_report(report: dict[str, Any]) -> dict[str, Any]:
    """Lists back to arrays where the core's report has arrays."""
    theta = report["theta"].items()
    report["theta"] = {name: np.array(value) if isinstance(value, list) else value for name, value in theta}
    report["relevance"] = np.array(report["relevance"])
    report["history"] = {name: np.array(column) for name, column in report["history"].items()}
    return report


def _is_literal(value: Any) -> bool:
    """A generator or a function cannot be kept; the estimator's default then stands in for it."""
    try:
        return ast.literal_eval(repr(value)) == value
    except (SyntaxError, ValueError):
        return False


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a model file cannot hold {value!r}")
