"""Covariances with the inducing inputs: k_j = sum over the summands of share sum_(g in members) rho(r^2).

Squared distances are sums of (x - z)^2, a few features at a time: rows x features x m numbers at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .graph import Value

TOGETHER = 8  # features


def _se(r2: Value) -> Value:
    return (r2 * -0.5).exp()


def _matern12(r2: Value) -> Value:
    return (-r2.sqrt()).exp()


def _matern32(r2: Value) -> Value:
    z = (r2 * 3.0).sqrt()
    return (z + 1.0) * (-z).exp()


def _matern52(r2: Value) -> Value:
    z = (r2 * 5.0).sqrt()
    return (z + 1.0 + z * z / 3.0) * (-z).exp()


SHAPES = {"se": _se, "matern12": _matern12, "matern32": _matern32, "matern52": _matern52}
SHAPES |= {"matern:0.5": _matern12, "matern:1.5": _matern32, "matern:2.5": _matern52}


def covariance(x: Value, plain: dict[str, Any]) -> Value:
    """k in units of the first share, which the matrices that multiply it take over."""
    unit = plain["summands"][0]["share"]
    first, *rest = (_sum_of_shapes(x, summand, plain["inducing_inputs"]) for summand in plain["summands"])
    shares = [summand["share"] / unit for summand in plain["summands"][1:]]
    return _total([first, *(part * share for part, share in zip(rest, shares, strict=True))])


def _sum_of_shapes(x: Value, summand: dict[str, Any], inputs: np.ndarray) -> Value:
    if summand["shape"] not in SHAPES:
        raise _core.Error(f"kernel {summand['shape']}: it needs a Bessel function, which ONNX does not have")
    rho = SHAPES[summand["shape"]]
    features = [feature for member in summand["members"] for feature in member]
    scaled = (x.columns(features) * summand["inverse_l"]).within(1e100)
    z = inputs[:, features] * summand["inverse_l"]

    def squares(places: list[int]) -> Value:  # rows x places x m
        e = scaled.columns(places).unsqueeze(2) - z[:, places].T[None]
        return e * e

    at, alone, sums = 0, [], []
    for member in summand["members"]:
        places = [*range(at, at + len(member))]
        at += len(member)
        if len(member) == 1:
            alone += places
            continue
        parts = [squares(some).sum(1) for some in _some(places)]
        sums.append(rho(_total(parts)))
    # Functions of one feature need no sum before rho.
    sums += [rho(squares(some)).sum(1) for some in _some(alone)]
    return _total(sums)


def _some(places: list[int]) -> list[list[int]]:
    return [places[k : k + TOGETHER] for k in range(0, len(places), TOGETHER)]


def _total(parts: list[Value]) -> Value:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total
