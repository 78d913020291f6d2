from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def calibration_curve(classifier: Any, X: Any, y: Any, *, bins: int = 15, ax: Axes | None = None) -> Axes:
    """Plot the observed frequency of `classes_[1]` against its predicted probability, in bins of equal width.

    Bars are 95 % (Wilson) intervals of the observed frequency. A bar that crosses the diagonal is consistent with
    calibrated probabilities. Use rows that were not used for training. Any classifier with predict_proba works.
    """
    from matplotlib.ticker import PercentFormatter

    probability = classifier.predict_proba(X)[:, 1]
    positive = np.asarray(y) == classifier.classes_[1]
    bin_index = np.minimum((probability * bins).astype(int), bins - 1)  # the bins of `induce eval`
    nonempty, bin_index, count = np.unique(bin_index, return_inverse=True, return_counts=True)
    predicted = np.bincount(bin_index, probability, minlength=len(nonempty)) / count
    observed = np.bincount(bin_index, positive, minlength=len(nonempty)) / count
    low, high = _wilson(observed, count)
    error = float(np.sum(count * np.abs(predicted - observed)) / len(probability))

    ax = _style.axes(ax, size=(4.4, 4.4))
    ax.plot([0, 1], [0, 1], color=_style.FAINT, lw=1, zorder=1)
    ax.vlines(predicted, low, high, color=_style.CLASS_COLOURS[0], lw=1.4, alpha=0.6, zorder=2)
    ax.plot(predicted, observed, "o-", color=_style.CLASS_COLOURS[0], ms=5, lw=1.4, zorder=3)
    # Most rows are near 0 or 1; a rug of ticks shows the distribution.
    shown = probability[:: -(-len(probability) // 500)]
    ax.plot(shown, np.full(len(shown), -0.03), "|", color=_style.INK, ms=5, mew=0.6, alpha=0.35)
    text = f"expected calibration error {error:.3f}\n{len(probability):,} rows"
    ax.text(0.97, 0.1, text, transform=ax.transAxes, ha="right", fontsize=9, color=_style.INK)
    ax.set(xlim=(-0.05, 1.05), ylim=(-0.05, 1.05), aspect="equal")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(PercentFormatter(1))
    label = classifier.classes_[1]
    return _style.finish(ax, x=f"predicted probability of {label}", y=f"observed frequency of {label}")


def _wilson(frequency: np.ndarray, count: np.ndarray, z: float = 1.96) -> tuple[np.ndarray, np.ndarray]:
    centre = (frequency + z**2 / (2 * count)) / (1 + z**2 / count)
    half = z / (1 + z**2 / count) * np.sqrt(frequency * (1 - frequency) / count + z**2 / (4 * count**2))
    return centre - half, centre + half
