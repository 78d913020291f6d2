"""From the estimator's parameters to the core's options.

None means "the library's choice" throughout. What a value may be beyond its type (known names, limits) is the core's
business and so is the message; here only what the core's types cannot hold is refused.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

from sklearn.utils import check_random_state

from . import _core


def core_options(parameters: Mapping[str, Any]) -> _core.Options:
    options = _core.Options()
    for name in ("method", "kernel", "warp"):
        setattr(options, name, _text(name, parameters[name]))
    for name in ("ard", "learn_inputs", "noise", "mean"):
        if parameters[name] is not None:
            setattr(options, name, _flag(name, parameters[name]))
    for name in ("standardize", "trace_elbo"):
        setattr(options, name, _flag(name, parameters[name]))
    if parameters["inducing"] != "auto":
        options.inducing = _whole("inducing", parameters["inducing"], "'auto' or a whole number from 1")
    for name in ("max_iter", "memory", "batch"):
        if parameters[name] is not None:
            most = 2**31 - 1 if name == "max_iter" else 2**63 - 1
            setattr(options, name, _whole(name, parameters[name], "None or a whole number from 1", most))
    if parameters["max_time"] is not None:
        options.max_time = _number("max_time", parameters["max_time"])
    for name in ("checkpoint", "resume"):
        if parameters[name] is not None:
            setattr(options, name, _path(name, parameters[name]))
    options.checkpoint_every = _number("checkpoint_every", parameters["checkpoint_every"])
    options.step = _number("step", parameters["step"])
    options.start = _start(parameters["start"])
    options.seed = seed(parameters["random_state"])
    options.threads = threads(parameters["threads"])
    return options


def seed(random_state: Any) -> int:
    """A whole number is the command line's --seed; anything else is scikit-learn's convention."""
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        if not 0 <= int(random_state) < 2**64:
            raise _refuse("random_state", random_state, "from 0 to 2^64 - 1")
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def threads(wanted: Any) -> int:
    """None: all cores, or OMP_NUM_THREADS, by which joblib tells its workers to share the machine."""
    if wanted is not None:
        return _whole("threads", wanted, "None or a whole number from 1")
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return int(limit) if limit.isdecimal() else 0


def _start(start: Any) -> _core.Start:
    known = ("signal_std", "lengthscale", "noise_std")
    core_start = _core.Start()
    if start is None:
        return core_start
    parts = start if isinstance(start, Mapping) else _named(start, known)
    for name, value in parts.items():
        if name not in known:
            raise _refuse("start", start, f"a mapping with keys among {', '.join(known)}")
        setattr(core_start, name, _number(f"start[{name!r}]", value))
    return core_start


def _named(values: Any, names: tuple[str, ...]) -> dict[str, Any]:
    try:
        return dict(zip(names, values, strict=True))
    except (TypeError, ValueError):
        raise _refuse("start", values, f"{len(names)} numbers: {', '.join(names)}") from None


def _refuse(name: str, value: Any, limit: str) -> _core.Error:
    return _core.Error(f"{name} = {value!r}: must be {limit}")


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise _refuse(name, value, "a name")
    return value


def _path(name: str, value: Any) -> str:
    if not isinstance(value, str | os.PathLike) or not os.fspath(value):
        raise _refuse(name, value, "None or the path of a file")
    return str(os.fspath(value))


def _flag(name: str, value: Any) -> bool:
    if value is None or value not in (True, False):
        raise _refuse(name, value, "True or False")
    return bool(value)


def _whole(name: str, value: Any, limit: str, most: int = 2**31 - 1) -> int:
    if not isinstance(value, Integral) or isinstance(value, bool) or not 1 <= int(value) <= most:
        raise _refuse(name, value, limit)
    return int(value)


def _number(name: str, value: Any) -> float:
    if not isinstance(value, Real) or isinstance(value, bool) or math.isnan(value):
        raise _refuse(name, value, "a number")
    return float(value)
