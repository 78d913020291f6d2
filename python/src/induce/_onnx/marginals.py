"""The Gaussians of the latent functions (docs/math.md), with v = L^-1 k:

mean_c = mean_c + scale_c (k'alpha_c + h'beta_c),
variance_c = scale_c^2 max(0, k(x, x) - v'D_c v + 2 k'Y_c h + h'S_c h).

No product with a constant stands before or behind a MatMul: onnxruntime would fuse the two and round the constant to
float32 (MatMulScaleFusion). Such factors are part of the matrices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .graph import Graph, Value
from .kernel import covariance
from .terms import Entries


def marginals(graph: Graph, x: Value, plain: dict[str, Any]) -> tuple[Value, Value]:
    """Means and variances, a column for each latent function."""
    functions = plain["functions"]
    scale = np.array([function["scale"] for function in functions])
    mean: Any = np.array([[function["mean"] for function in functions]])
    variance: list[Any] = [plain["diagonal"] for _ in functions]
    if joint := len(plain["whitener"]) > 0:
        unit = plain["summands"][0]["share"]
        k = covariance(x, plain)
        L = plain["whitener"]
        v = k @ (unit * np.linalg.solve(L, np.eye(len(L))).T)
        mean = k @ (unit * _columns(functions, "alpha") * scale) + mean
        variance = [
            own - ((v @ function["D"]) * v).sum(1, keep=True)
            for own, function in zip(variance, functions, strict=True)
        ]
    if plain["terms"]:
        h = Entries(graph, x, plain["terms"])
        mean = h.sum(_columns(functions, "beta") * scale) + mean
        variance = [own + h.square(function["S"]) for own, function in zip(variance, functions, strict=True)]
        if joint:
            variance = [
                own + (k * h.sum(2.0 * unit * function["Y"])).sum(1, keep=True)
                for own, function in zip(variance, functions, strict=True)
            ]
    together = variance[0] if len(variance) == 1 else graph("Concat", *variance, axis=1)
    return mean, together.at_least(0.0) * scale**2


def _columns(functions: list[dict[str, Any]], name: str) -> np.ndarray:
    return np.column_stack([function[name] for function in functions])
