"""Python's metadata in the model file.

The core writes the tensors, which determine every prediction. Python adds one metadata entry: the estimator's
parameters, its classes with their type, the columns of X, and the fit report. Other readers ignore it.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._parameters import OPTIONS, RENAMED

ENTRY = "python"
OPTIONS_ENTRY = "options"  # of the command line
THRESHOLDS_ENTRY = "set_thresholds"  # report_["set_thresholds"], if class weights have not moved the probabilities
NOT_SAVED = [option["name"] for option in OPTIONS if option["kind"] == "path"]  # a model must not set file paths
LARGEST_CLASS = 1 << 16  # bytes

# Exceptions raised when restoring an entry from an untrusted file.
INVALID = (
    *(AttributeError, IndexError, KeyError, MemoryError, OverflowError),
    *(RecursionError, SyntaxError, TypeError, ValueError),
)


def notes(
    parameters: dict[str, Any], classes: np.ndarray, columns: dict[str, Any], report: dict[str, Any] | None
) -> dict[str, str]:
    entry = {
        "parameters": {
            name: repr(_builtin(value))
            for name, value in parameters.items()
            if name not in NOT_SAVED and _is_literal(_builtin(value))
        },
        "classes": {"dtype": classes.dtype.str, "values": classes.tolist()},
        "columns": columns,
        "report": report,
    }
    rows = {"rows": str(report["rows"])} if report else {}  # as the command line does
    thresholds = {}
    if report and len(report.get("set_thresholds", ())) and not len(report["class_weights"]):
        thresholds = {THRESHOLDS_ENTRY: json.dumps(report["set_thresholds"], default=_plain)}
    return {ENTRY: json.dumps(entry, default=_plain), **rows, **thresholds}


def read_notes(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, Any], list[float]]:
    """Return the entry, or an empty dict if Python did not write the file, the options of the command line, and the
    thresholds of sets of classes."""
    with open(path, "rb") as file:
        header = file.read(int.from_bytes(file.read(8), "little"))
    metadata = json.loads(header)["__metadata__"]
    entry, options = (json.loads(metadata.get(name) or "{}") for name in (ENTRY, OPTIONS_ENTRY))
    return entry, options, [float(each) for each in json.loads(metadata.get(THRESHOLDS_ENTRY) or "[]")]


def parameters_from_options(options: dict[str, Any]) -> dict[str, Any]:
    """What the command line was asked for, as parameters. Files of earlier versions do not tell: defaults."""
    return {RENAMED.get(name, name): value for name, value in options.items() if name not in NOT_SAVED}


def restored_parameters(entry: dict[str, str]) -> dict[str, Any]:
    """Values are Python literals, because JSON would turn tuples into lists and dict keys into strings."""
    return {name: ast.literal_eval(value) for name, value in entry.items() if name not in NOT_SAVED}


def restored_classes(entry: dict[str, Any], count: int) -> np.ndarray:
    """The `count` classes of the model, with their type."""
    dtype = np.dtype(entry["dtype"])
    if dtype.itemsize > LARGEST_CLASS or len(entry["values"]) != count:
        raise ValueError(f"expected {count} classes")
    return np.array(entry["values"], dtype=dtype)


def restored_report(report: dict[str, Any]) -> dict[str, Any]:
    """Convert lists back to arrays where the core's report has arrays."""
    theta = report["theta"].items()
    report["theta"] = {name: np.array(value) if isinstance(value, list) else value for name, value in theta}
    for name in ("relevance", "class_weights", "set_thresholds"):
        if name in report:
            report[name] = np.array(report[name])
    if "importance" in report:  # since format version 5
        report["importance"] = np.array(report["importance"], dtype=float).reshape(-1, 2)
    report["history"] = {name: np.array(column) for name, column in report["history"].items()}
    return report


def _builtin(value: Any) -> Any:
    """Numbers and arrays of NumPy, also within containers, as Python's own."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, Mapping):
        return {_builtin(key): _builtin(each) for key, each in value.items()}
    return type(value)(map(_builtin, value)) if type(value) in (list, tuple, set) else value


def _is_literal(value: Any) -> bool:
    """Whether a parameter can be saved. Generators and functions cannot; loading gives the default instead."""
    try:
        return ast.literal_eval(repr(value)) == value
    except (SyntaxError, ValueError):
        return False


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return _builtin(value)
    raise TypeError(f"a model file cannot hold {value!r}")
