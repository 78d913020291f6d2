"""X(a, s) = exp(eta - a/2), eta = log H, H = -log phi, phi(a, s) = E exp(-exp(a + s eps)), eps ~ N(0, 1), as in
likelihood/softmax_table.cpp.

Column k is a = (first_column + k) .375. Rows are s in two ranges: up to 5 as in the library's finest level, 64 per
unit of t = s/sqrt(1 + s^2/10), and beyond it in steps of 1.5 %, up to the largest deviation that the model can
have. Each range has the rows that interpolation reads beyond its ends.

phi and 1 - phi are sums of G(a) = exp(-e^a) and 1 - G with Gaussian weights, all positive.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

ROWS, COLUMNS = 6, 14  # points of Lagrange's formula
H_STEP = 0.375
SPLIT = 5.0
ROWS_PER_T, ROWS_PER_LOG = 64.0, 1 / 0.015
RIGHT_H = 25.0  # phi = e^-25 is neglected


@dataclass
class Table:
    LARGEST = 100.0  # larger deviations count as this

    largest: float
    first_column: int
    columns: int
    X: np.ndarray  # rows x columns
    right: np.ndarray  # where H = 25, H = 25/4, and where H is so small that sums left of it are series
    right_of_four: np.ndarray
    left: np.ndarray
    rows_per_t = ROWS_PER_T
    rows_per_log = ROWS_PER_LOG
    first_near = ROWS // 2 - 1  # the row of s = 0
    first_far: int = 0  # the row of s = 5

    @classmethod
    def up_to(cls, largest: float) -> Table:
        beyond = ROWS // 2
        t = lambda s: s / np.sqrt(1 + 0.1 * s * s)  # noqa: E731
        last = int(np.floor(t(min(largest, SPLIT)) * ROWS_PER_T)) + beyond
        of_t = np.abs(np.arange(-(beyond - 1), last + 1) / ROWS_PER_T)
        deviations = (of_t / np.sqrt(1 - 0.1 * of_t**2)).tolist()
        first_far = len(deviations) + beyond - 1
        if largest > SPLIT:
            last = int(np.floor(np.log(largest / SPLIT) * ROWS_PER_LOG)) + beyond
            deviations += (SPLIT * np.exp(np.arange(-(beyond - 1), last + 1) / ROWS_PER_LOG)).tolist()
        widest = max(deviations)
        first_column = int(np.floor(-(8.5 * widest + 45) / H_STEP)) - COLUMNS
        columns = int(np.ceil((6.7 * widest + 1) / H_STEP)) + 2 * COLUMNS - first_column + 1
        a = (first_column + np.arange(columns)) * H_STEP
        eta = np.array([_eta(s, first_column, columns) for s in deviations])
        log_left = [-min(9.5 + 2.2 * s, 21.5) for s in deviations]
        return cls(
            largest,
            first_column,
            columns,
            np.exp(np.minimum(eta - a / 2, 600.0)),
            np.array([_crossing(a, row, np.log(RIGHT_H)) for row in eta]),
            np.array([_crossing(a, row, np.log(RIGHT_H / 4)) for row in eta]),
            np.array([_crossing(a, row, end) for row, end in zip(eta, log_left, strict=True)]),
            first_far,
        )


def lagrange(n: int) -> np.ndarray:
    """Row k: the coefficients of f^k in the Lagrange polynomials of n points at f after the point n/2 - 1."""
    out = np.zeros((n, n))
    for i in range(n):
        polynomial = np.ones(1)
        for j in range(n):
            if j != i:
                polynomial = np.convolve(polynomial, np.array([-(j - (n // 2 - 1)), 1.0]) / (i - j))
        out[:, i] = polynomial
    return out


def _eta(s: float, first_column: int, columns: int) -> np.ndarray:
    if s == 0:
        return (first_column + np.arange(columns)) * H_STEP
    halvings = 1
    while H_STEP / 2**halvings > 0.75 * s and halvings < 6:
        halvings += 1
    stride, step = 2**halvings, H_STEP / 2**halvings
    reach = int(np.ceil(13 * s / step))
    x = np.arange(-reach, reach + 1) * step
    weights = np.exp(-0.5 * (x / s) ** 2)
    weights /= weights.sum()
    at = (first_column * stride - reach + np.arange((columns - 1) * stride + 2 * reach + 1)) * step
    growth = np.exp(np.minimum(at, 700.0))
    windows = [sliding_window_view(each, 2 * reach + 1)[::stride] for each in (np.exp(-growth), -np.expm1(-growth))]
    phi, rest = (window @ weights for window in windows)
    with np.errstate(divide="ignore"):  # the branch that is not taken, and far to the left, where nothing is read
        H = np.where(rest < 0.5, -np.log1p(-np.minimum(rest, 0.6)), -np.log(np.maximum(phi, 1e-260)))
        return np.log(H)


def _crossing(a: np.ndarray, eta: np.ndarray, value: float) -> float:
    """The a where a row reaches eta = value, between two columns."""
    k = int(np.argmax(eta >= value))
    part = (value - eta[k - 1]) / (eta[k] - eta[k - 1])
    return float(a[k - 1] + part * H_STEP)
