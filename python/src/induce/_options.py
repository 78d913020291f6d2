"""From the estimator's parameters to the core's options.

What a value may be (known names, limits) is the core's business and so is the message; here only what the core's
types cannot hold is refused.
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

Option = dict[str, Any]  # a row of the core's table


def core_options(parameters: Mapping[str, Any]) -> _core.Options:
    options = _core.Options()
    for option in OPTIONS:
        name = option["name"]
        value = _OF_PYTHON.get(name, lambda value: value)(parameters[RENAMED.get(name, name)])
        if not _is_unset(option, value):
            setattr(options, name, _CONVERT[option["kind"]](option, value))
    return options


def seed(random_state: Any) -> int:
    """A whole number is the command line's --seed; anything else is scikit-learn's convention."""
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        if not 0 <= int(random_state) < 2**64:
            raise _core.Error(f"random_state = {random_state!r}: must be from 0 to 2^64 - 1")
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def threads(wanted: Any) -> int:
    """None: all cores, or OMP_NUM_THREADS, by which joblib tells its workers to share the machine."""
    (option,) = (option for option in OPTIONS if option["name"] == "threads")
    if wanted is not None:
        return _whole(option, wanted)
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return min(int(limit), option["most"]) if limit.isdecimal() else 0


def _is_unset(option: Option, value: Any) -> bool:
    if not option["can_be_unset"]:
        return False
    return value is None if option["unset"] is None else isinstance(value, str) and value == option["unset"]


def _refuse(option: Option, value: Any, limit: str | None = None) -> _core.Error:
    unset = f"{option['unset']!r} or " if option["can_be_unset"] else ""
    return _core.Error(f"{option['name']} = {value!r}: must be {unset}{limit or option['limit']}")


def _text(option: Option, value: Any) -> str:
    if not isinstance(value, str):
        raise _refuse(option, value)
    return value


def _path(option: Option, value: Any) -> str:
    if not isinstance(value, str | os.PathLike) or not os.fspath(value):
        raise _refuse(option, value)
    return str(os.fspath(value))


def _flag(option: Option, value: Any) -> bool:
    if value is None or value not in (True, False):
        raise _refuse(option, value, "True or False")
    return bool(value)


def _whole(option: Option, value: Any) -> int:
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or not option["least"] <= int(value) <= option["most"]:
        raise _refuse(option, value)
    return int(value)


def _number(option: Option, value: Any) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or math.isnan(value):
        raise _refuse(option, value)
    return float(value)


def _numbers(option: Option, value: Any) -> list[float | None]:
    names = option["parts"]
    parts = value if isinstance(value, Mapping) else _named(option, value)
    if not set(parts) <= set(names):
        raise _refuse(option, value, f"a mapping with keys among {', '.join(names)}")
    return [None if parts.get(name) is None else _number(option, parts[name]) for name in names]


def _named(option: Option, values: Any) -> dict[str, Any]:
    names = option["parts"]
    try:
        return dict(zip(names, values, strict=True))
    except (TypeError, ValueError):
        raise _refuse(option, values, f"{len(names)} numbers: {', '.join(names)}") from None


_OF_PYTHON = {"seed": seed, "threads": lambda wanted: threads(wanted) or None}
_CONVERT = {
    "choice": _text,
    "flag": _flag,
    "whole": _whole,
    "size": _whole,
    "number": _number,
    "numbers": _numbers,
    "path": _path,
}
