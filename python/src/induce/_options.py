"""Converts the estimator's parameters to the core's options.

The core validates values (known names, limits) and writes the messages. This module only rejects values that do not
fit the core's types.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

from sklearn.utils import check_random_state

from . import _core
from ._parameters import OPTIONS, RENAMED

Option = dict[str, Any]  # a row of the core's option table


def core_options(parameters: Mapping[str, Any]) -> _core.Options:
    options = _core.Options()
    for option in OPTIONS:
        name = option["name"]
        value = _PYTHON_ONLY.get(name, lambda value: value)(parameters[RENAMED.get(name, name)])
        if not _is_unset(option, value):
            setattr(options, name, _CONVERT[option["kind"]](option, value))
    return options


def seed(random_state: Any) -> int:
    """An int is the command line's --seed; anything else follows scikit-learn's convention."""
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        if not 0 <= int(random_state) < 2**64:
            raise _core.Error(f"random_state = {random_state!r}: must be between 0 and 2^64 - 1")
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def threads(requested: Any) -> int:
    """None: OMP_NUM_THREADS, which joblib sets in its workers, or all cores if it is not set."""
    (option,) = (option for option in OPTIONS if option["name"] == "threads")
    if requested is not None:
        return _whole(option, requested)
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return min(int(limit), option["most"]) if limit.isdecimal() else 0


def _is_unset(option: Option, value: Any) -> bool:
    if not option["can_be_unset"]:
        return False
    return value is None if option["unset"] is None else isinstance(value, str) and value == option["unset"]


def _invalid(option: Option, value: Any, limit: str | None = None) -> _core.Error:
    unset = f"{option['unset']!r} or " if option["can_be_unset"] else ""
    return _core.Error(f"{option['name']} = {value!r}: must be {unset}{limit or option['limit']}")


def _text(option: Option, value: Any) -> str:
    if not isinstance(value, str):
        raise _invalid(option, value)
    return value


def _path(option: Option, value: Any) -> str:
    if not isinstance(value, str | os.PathLike) or not os.fspath(value):
        raise _invalid(option, value)
    return str(os.fspath(value))


def _flag(option: Option, value: Any) -> bool:
    if value is None or value not in (True, False):
        raise _invalid(option, value, "True or False")
    return bool(value)


def _whole(option: Option, value: Any) -> int:
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or not option["least"] <= int(value) <= option["most"]:
        raise _invalid(option, value)
    return int(value)


def _number(option: Option, value: Any) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or math.isnan(value):
        raise _invalid(option, value)
    return float(value)


def _numbers(option: Option, value: Any) -> list[float | None]:
    names = option["parts"]
    parts = value if isinstance(value, Mapping) else _named(option, value)
    if not set(parts) <= set(names):
        raise _invalid(option, value, f"a mapping with keys among {', '.join(names)}")
    return [None if parts.get(name) is None else _number(option, parts[name]) for name in names]


def _named(option: Option, values: Any) -> dict[str, Any]:
    names = option["parts"]
    try:
        return dict(zip(names, values, strict=True))
    except (TypeError, ValueError):
        raise _invalid(option, values, f"{len(names)} numbers: {', '.join(names)}") from None


_PYTHON_ONLY = {"seed": seed, "threads": lambda requested: threads(requested) or None}
_CONVERT = {
    "choice": _text,
    "flag": _flag,
    "whole": _whole,
    "size": _whole,
    "number": _number,
    "numbers": _numbers,
    "path": _path,
}
