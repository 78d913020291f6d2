from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def calibration_curve(classifier: Any, X: Any, y: Any, *, bins: int = 15, ax: Axes | None = None) -> Axes:
    """How often `classes_[1]` came true against how often it was foretold, in bins of equal width.

    Bars are 95 % (Wilson) intervals of the observed share: a bar that meets the diagonal is no sign against the
    probabilities. Use rows that the fit has not seen. Any classifier with predict_proba will do.
    """
    from matplotlib.ticker import PercentFormatter

    foretold = classifier.predict_proba(X)[:, 1]
    happened = np.asarray(y) == classifier.classes_[1]
    bin_of = np.minimum((foretold * bins).astype(int), bins - 1)  # as `induce eval` has it for its ece
    filled, bin_of, count = np.unique(bin_of, return_inverse=True, return_counts=True)
    predicted = np.bincount(bin_of, foretold, minlength=len(filled)) / count
    observed = np.bincount(bin_of, happened, minlength=len(filled)) / count
    low, high = _wilson(observed, count)
    error = float(np.sum(count * np.abs(predicted - observed)) / len(foretold))

    ax = _style.axes(ax, size=(4.4, 4.4))
    ax.plot([0, 1], [0, 1], color=_style.FAINT, lw=1, zorder=1)
    ax.vlines(predicted, low, high, color=_style.CLASS_COLOURS[0], lw=1.4, alpha=0.6, zorder=2)
    ax.plot(predicted, observed, "o-", color=_style.CLASS_COLOURS[0], ms=5, lw=1.4, zorder=3)
    # Rows pile up at both ends; ticks along the edge show where they lie.
    shown = foretold[:: -(-len(foretold) // 500)]
    ax.plot(shown, np.full(len(shown), -0.03), "|", color=_style.INK, ms=5, mew=0.6, alpha=0.35)
    text = f"expected calibration error {error:.3f}\n{len(foretold):,} rows"
    ax.text(0.97, 0.1, text, transform=ax.transAxes, ha="right", fontsize=9, color=_style.INK)
    ax.set(xlim=(-0.05, 1.05), ylim=(-0.05, 1.05), aspect="equal")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(PercentFormatter(1))
    label = classifier.classes_[1]
    return _style.finish(ax, x=f"foretold probability of {label}", y=f"observed share of {label}")


def _wilson(share: np.ndarray, count: np.ndarray, z: float = 1.96) -> tuple[np.ndarray, np.ndarray]:
    centre = (share + z**2 / (2 * count)) / (1 + z**2 / count)
    half = z / (1 + z**2 / count) * np.sqrt(share * (1 - share) / count + z**2 / (4 * count**2))
    return centre - half, centre + half
