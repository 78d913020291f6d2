"""Covariances with the inducing inputs, and the Gaussians of the latent functions (docs/math.md):

k_j = sum over the terms of share sum_(g in members) rho(r^2),   v = L^-1 k,
mean_c = mean_c + scale_c k'alpha_c,   variance_c = scale_c^2 max(0, k(x, x) - v'D_c v).

Squared distances are sums of (x - z)^2, a few features at a time: rows x features x m numbers at once.

No product with a constant stands before or behind a MatMul: onnxruntime would fuse the two and round the constant to
float32 (MatMulScaleFusion). Such factors are part of the matrices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .graph import Graph, Value

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


def marginals(graph: Graph, x: Value, plain: dict[str, Any]) -> tuple[Value, Value]:
    """Means and variances, a column for each latent function."""
    unit = plain["terms"][0]["share"]
    k = _covariance(x, plain, unit)
    functions = plain["functions"]
    L = plain["whitener"]
    v = k @ (unit * np.linalg.solve(L, np.eye(len(L))).T)
    scale = np.array([function["scale"] for function in functions])
    alpha = np.column_stack([function["alpha"] for function in functions])
    mean = k @ (unit * alpha * scale) + np.array([function["mean"] for function in functions])
    squares = [((v @ function["D"]) * v).sum(1, keep=True) for function in functions]
    shrunk = squares[0] if len(squares) == 1 else graph("Concat", *squares, axis=1)
    return mean, (plain["diagonal"] - shrunk).at_least(0.0) * scale**2


def _covariance(x: Value, plain: dict[str, Any], unit: float) -> Value:
    """In units of the first share."""
    first, *rest = ((term["share"], _sum_of_shapes(x, term, plain["inducing_inputs"])) for term in plain["terms"])
    return _total([first[1], *(part * (share / unit) for share, part in rest)])


def _sum_of_shapes(x: Value, term: dict[str, Any], inputs: np.ndarray) -> Value:
    if term["shape"] not in SHAPES:
        raise _core.Error(f"kernel {term['shape']}: it needs a Bessel function, which ONNX does not have")
    rho = SHAPES[term["shape"]]
    features = [feature for member in term["members"] for feature in member]
    scaled = (x.columns(features) * term["inverse_l"]).within(1e100)
    z = inputs[:, features] * term["inverse_l"]

    def squares(places: list[int]) -> Value:  # rows x places x m
        e = scaled.columns(places).unsqueeze(2) - z[:, places].T[None]
        return e * e

    at, alone, sums = 0, [], []
    for member in term["members"]:
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
