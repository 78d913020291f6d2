from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_WITH_TEXT = 20  # classes


def confusion(classifier: Any, X: Any, y: Any, *, ax: Axes | None = None) -> Axes:
    """Plot how many rows of each true class (down) are predicted as each class (across).

    The shading is the share of the true class, so that rare classes show too, on a scale that shows small shares; the
    numbers are counts of rows. With more than 20 classes there are no numbers. Use rows that were not used for
    training. Any classifier with predict works.
    """
    from matplotlib.colors import LinearSegmentedColormap, PowerNorm
    from matplotlib.ticker import PercentFormatter

    classes = np.asarray(classifier.classes_)
    size = len(classes)
    true, predicted = (_style.class_index(classifier, each) for each in (y, classifier.predict(X)))
    count = np.bincount(true * size + predicted, minlength=size * size).reshape(size, size)
    share = count / np.maximum(count.sum(axis=1, keepdims=True), 1)

    side = 1.6 + min(0.42 * size, 7.0) if size > 4 else 3.4
    ax = _style.axes(ax, size=(side + 0.7, side))
    colours = LinearSegmentedColormap.from_list("induce", ["#ffffff", _style.CLASS_COLOURS[0]])
    image = ax.imshow(share, cmap=colours, norm=PowerNorm(0.5, vmin=0, vmax=1))
    if size <= MOST_WITH_TEXT:
        _counts(ax, count, share)
    _names(ax, classes)
    ticks = [0, 0.05, 0.25, 0.5, 1]
    bar = ax.figure.colorbar(image, ax=ax, ticks=ticks, format=PercentFormatter(1), pad=0.02, shrink=0.7)
    bar.set_label("share of the true class", color=_style.INK)
    bar.ax.tick_params(colors=_style.INK, labelsize=9)
    bar.outline.set_visible(False)
    accuracy = np.trace(count) / max(len(true), 1)
    _style.finish(ax, title=f"accuracy {accuracy:.1%} of {len(true):,} rows", x="predicted class", y="true class")
    ax.tick_params(length=0, labelsize=8 if size > 10 else 9)
    for side_name in ("left", "bottom"):
        ax.spines[side_name].set_visible(False)
    return ax


def _counts(ax: Axes, count: np.ndarray, share: np.ndarray) -> None:
    box, (width, height) = ax.get_position(), ax.figure.get_size_inches()
    cell = 72 * min(box.width * width, box.height * height) / len(count)  # points, before the layout is known
    points = min(10.0, 1.3 * cell / len(f"{count.max():,}"))
    for true, predicted in zip(*np.nonzero(count), strict=True):  # an empty cell means none
        colour = "white" if share[true, predicted] > 0.4 else _style.INK
        text = f"{count[true, predicted]:,}"
        ax.text(predicted, true, text, ha="center", va="center", fontsize=points, color=colour)


def _names(ax: Axes, classes: np.ndarray) -> None:
    """Name the classes, or every few of them, along both sides, with faint lines between the cells."""
    shown = np.arange(0, len(classes), -(-len(classes) // 40))
    names = [str(label) for label in classes[shown]]
    slanted = max(map(len, names)) > max(2, 30 // len(names))
    ax.set_yticks(shown, names)
    ax.set_xticks(shown, names, rotation=45 if slanted else 0, ha="right" if slanted else "center")
    if slanted:
        for label in ax.get_xticklabels():
            label.set_rotation_mode("anchor")
    edges = np.arange(len(classes) + 1) - 0.5
    ax.set_xticks(edges, minor=True)
    ax.set_yticks(edges, minor=True)
    ax.grid(which="minor", color="#e4e4e4", lw=0.6 if len(classes) <= MOST_WITH_TEXT else 0.2)
    ax.tick_params(which="minor", length=0)
