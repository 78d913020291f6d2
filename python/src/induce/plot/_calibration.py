from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEAST_ROWS = 5  # of a bin, where several curves are drawn


def calibration_curve(
    classifier: Any,
    X: Any,
    y: Any,
    *,
    bins: int = 15,
    classes: Sequence[Any] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Plot the observed frequency of a class against its predicted probability, in bins of equal width.

    Of two classes, the class is `classes_[1]`. With more classes it is the predicted one: how often the most probable
    class is the true one, against its probability. `classes` asks for a curve for each of these classes instead, from
    the bins of at least 5 rows.

    Bars are 95 % (Wilson) intervals of the observed frequency. A bar that crosses the diagonal is consistent with
    calibrated probabilities. Use rows that were not used for training. Any classifier with predict_proba works.
    """
    from matplotlib.ticker import PercentFormatter

    probability, y = classifier.predict_proba(X), np.asarray(y)
    ax = _style.axes(ax, size=(4.4 if classes is None else 6.2, 4.4))
    ax.plot([0, 1], [0, 1], color=_style.FAINT, lw=1, zorder=1)
    if classes is None:
        what, shown, happened = _one_class(classifier, probability, y)
        error = _draw(ax, shown, happened, bins, _style.CLASS_COLOURS[0])
        _rug(ax, shown)
        text = f"expected calibration error {error:.3f}\n{len(y):,} rows"
        ax.text(0.97, 0.1, text, transform=ax.transAxes, ha="right", fontsize=9, color=_style.INK)
    else:
        what = "the class"
        for label, colour in zip(classes, _style.class_colours(len(classes)), strict=True):
            column = _style.class_index(classifier, [label])[0]
            _draw(ax, probability[:, column], y == label, bins, colour, label=label)
        _style.legend_beside(ax, title="class,\ncalibration error")
    ax.set(xlim=(-0.05, 1.05), ylim=(-0.05, 1.05), aspect="equal")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(PercentFormatter(1))
    return _style.finish(ax, x=f"predicted probability of {what}", y=f"observed frequency of {what}")


def _one_class(classifier: Any, probability: np.ndarray, y: np.ndarray) -> tuple[str, np.ndarray, np.ndarray]:
    """Return the words for a class, its probability in each row, and whether it is the true one."""
    if probability.shape[1] == 2:
        return str(classifier.classes_[1]), probability[:, 1], y == classifier.classes_[1]
    predicted = probability.argmax(axis=1)
    return "the predicted class", probability.max(axis=1), y == np.asarray(classifier.classes_)[predicted]


def _draw(
    ax: Axes, probability: np.ndarray, happened: np.ndarray, bins: int, colour: str, label: Any = None
) -> float:
    """Draw one curve and return its expected calibration error."""
    bin_index = np.minimum((probability * bins).astype(int), bins - 1)  # the bins of `induce eval`
    nonempty, bin_index, count = np.unique(bin_index, return_inverse=True, return_counts=True)
    predicted = np.bincount(bin_index, probability, minlength=len(nonempty)) / count
    observed = np.bincount(bin_index, happened, minlength=len(nonempty)) / count
    low, high = _wilson(observed, count)
    error = float(np.sum(count * np.abs(predicted - observed)) / len(probability))
    alone = label is None
    name = None if alone else f"{label}, {error:.3f}"
    drawn = count >= (1 if alone else LEAST_ROWS)
    predicted, observed, low, high = (each[drawn] for each in (predicted, observed, low, high))
    ax.vlines(predicted, low, high, color=colour, lw=1.4, alpha=0.6 if alone else 0.25, zorder=2)
    ax.plot(predicted, observed, "o-", color=colour, ms=5 if alone else 4, lw=1.4, zorder=3, label=name)
    return error


def _rug(ax: Axes, probability: np.ndarray) -> None:
    """Most rows are near 0 or 1; a rug of ticks shows the distribution."""
    shown = probability[:: -(-len(probability) // 500)]
    ax.plot(shown, np.full(len(shown), -0.03), "|", color=_style.INK, ms=5, mew=0.6, alpha=0.35)


def _wilson(frequency: np.ndarray, count: np.ndarray, z: float = 1.96) -> tuple[np.ndarray, np.ndarray]:
    centre = (frequency + z**2 / (2 * count)) / (1 + z**2 / count)
    half = z / (1 + z**2 / count) * np.sqrt(frequency * (1 - frequency) / count + z**2 / (4 * count**2))
    return centre - half, centre + half
