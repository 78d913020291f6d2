"""P(y = +1) of two classes, and p of ordered ones, from the latent mean m and variance S2, to 1e-15.

The formulas are those of likelihood/logistic_predictive.cpp.

Phi(-u) = exp(-u^2/2) R(u)/sqrt(2 pi) for u >= 0, with Mills' ratio R as a polynomial (likelihood/mills_ratio.hpp):
onnxruntime's Erf has no kernel in float64.

Logistic, S2 <= 1: the trapezoid rule in t = (f - m)/sqrt(S2), 41 nodes. S2 > 1: sigma = Phi(f/sqrt(b)) + g(f), b =
8/pi. The mean of the first is closed, the odd rest g is below e^-|f|, so 76 nodes leave 1e-17: with mu = |m|,
P(-mu) = Phi(-mu/sqrt(S2 + b)) - h sum_(j>0) g(f_j) (N(f_j; mu, S2) - N(f_j; -mu, S2)), f_j = h, 2h, ...
The library keeps digits relative to P however small it is; here they are absolute.
"""

from __future__ import annotations

from math import erfc

import numpy as np

from .graph import Graph, Value

MILLS = [
    0.19280810471531576, -0.1667866595188989, 0.12415470615739103, -0.07859110755444265, 0.04136447157294455,
    -0.01732547341332258, 0.005212550248260094, -0.0007503282358809737, -0.00019999626770589952,
    0.00013658565999337814, -1.4882918529688417e-05, -1.247270507920554e-05, 4.180171633069977e-06,
    9.956429010606642e-07, -6.91798056161122e-07, -8.10888036367098e-08, 1.0573006226025632e-07,
    7.476919614349498e-09, -1.4573727205857553e-08, -5.922612865858991e-10, 1.2912874213654848e-09,
]  # fmt: skip
STEP, B = 0.5, 8 / np.pi
ROOT = np.sqrt(2 * np.pi)


def probit(graph: Graph, mean: Value, variance: Value) -> Value:
    u = mean / (variance + 1.0).sqrt()
    return _by_sign(mean, _normal_tail(u.abs()))


def logistic(graph: Graph, mean: Value, variance: Value) -> Value:
    mu = mean.abs()
    smaller = (variance <= 1.0).where(_narrow(mu, variance.at_most(1.0)), _wide(mu, variance.at_least(1.0)))
    return _by_sign(mean, smaller.at_least(0.0))


def ordinal(graph: Graph, mean: Value, variance: Value, thresholds: np.ndarray) -> Value:
    """p(y <= k) = E sigma(b_k - f), all thresholds at once along the second axis."""
    at_or_below = logistic(graph, (-(mean - thresholds)).unsqueeze(2), variance.unsqueeze(2)).squeeze(2)
    last = len(thresholds) - 1
    first, rest = at_or_below.columns([0]), 1.0 - at_or_below.columns([last])
    between = at_or_below.columns(np.arange(1, last + 1)) - at_or_below.columns(np.arange(last))
    return graph("Concat", first, between.at_least(0.0), rest, axis=1)


def _by_sign(mean: Value, smaller: Value) -> Value:
    return (mean < 0.0).where(smaller, 1.0 - smaller)


def _normal_tail(u: Value) -> Value:
    rest = 10.0 / (u + 5.0)
    q = 1.0 - rest
    polynomial: Value = q * MILLS[-1] + MILLS[-2]
    for coefficient in MILLS[-3::-1]:
        polynomial = polynomial * q + coefficient
    return (u * u * -0.5).exp() * rest * polynomial / ROOT


def _narrow(mu: Value, S2: Value) -> Value:
    t = STEP * np.arange(-20, 21)
    weights = STEP / ROOT * np.exp(-0.5 * t * t)
    return 1.0 / ((mu - S2.sqrt() * t).exp() + 1.0) @ weights[:, None]


def _wide(mu: Value, S2: Value) -> Value:
    f = STEP * np.arange(1, 77)
    g = np.array([0.5 * erfc(each / np.sqrt(2 * B)) for each in f]) - 1 / (1 + np.exp(f))
    near, far = mu - f, mu + f
    density = (near * near / S2 * -0.5).exp() - (far * far / S2 * -0.5).exp()
    return _normal_tail(mu / (S2 + B).sqrt()) - density @ (g[:, None] * STEP / ROOT) / S2.sqrt()
