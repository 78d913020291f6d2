"""The metrics of include/induce/metrics.hpp in NumPy, so that the same definitions apply to every peer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bench.support.calibration import bins
from bench.support.lines import Record

TINY = 1e-15


def area_under_curve(p: NDArray[np.float64], y: NDArray[np.int64]) -> float:
    """Area under the ROC curve from the ranks of class 1; ties count half."""
    positives = int(y.sum())
    negatives = len(y) - positives
    if not positives or not negatives:
        return float("nan")
    _, group, count = np.unique(p, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    rank = (last - (count - 1) / 2.0)[group]  # average rank of equal values
    return float((rank[y == 1].sum() - positives * (positives + 1) / 2.0) / (positives * negatives))


def compute_metrics(p: NDArray[np.float64], y: NDArray[np.int64]) -> Record:
    """`p` is the probability of class 1 of two, (n), or of each of three or more, (n, C); `y` is a class from 0.

    p is clipped in the logarithm only.
    """
    return metrics_of_two(p, y) if p.ndim == 1 else metrics_of_many(p, y)


def expected_calibration_error(shown: list[list[float]], n: int) -> float:
    return sum(rows * abs(average - frequency) for rows, average, frequency in shown) / n


def metrics_of_two(p: NDArray[np.float64], y: NDArray[np.int64]) -> Record:
    clipped = np.clip(p, TINY, 1 - TINY)
    shown = bins(p.tolist(), y.tolist())
    return {
        "accuracy": float(np.mean((p > 0.5) == (y == 1))),
        "nll": float(-np.mean(np.where(y == 1, np.log(clipped), np.log1p(-clipped)))),
        "brier": float(np.mean((p - y) ** 2)),
        "ece": expected_calibration_error(shown, len(p)),
        "auc": area_under_curve(p, y),
        "calibration": shown,
    }


def metrics_of_many(p: NDArray[np.float64], y: NDArray[np.int64]) -> Record:
    """Calibration and its error are those of the predicted class; auc is the mean over classes against all others."""
    truth = np.arange(p.shape[1]) == y[:, None]
    predicted = p.argmax(axis=1)
    shown = bins(p.max(axis=1).tolist(), (predicted == y).astype(int).tolist())
    return {
        "accuracy": float(np.mean(predicted == y)),
        "nll": float(-np.mean(np.log(np.clip(p[truth], TINY, 1 - TINY)))),
        "brier": float(np.mean(((p - truth) ** 2).sum(axis=1))),
        "ece": expected_calibration_error(shown, len(p)),
        "auc": float(np.nanmean([area_under_curve(p[:, c], truth[:, c].astype(int)) for c in range(p.shape[1])])),
        "calibration": shown,
    }
