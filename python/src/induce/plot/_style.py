"""Colours and styling shared by all plots. Only the given Axes is modified, never matplotlib's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Two colours that remain distinct in greyscale and for colour-blind readers.
CLASS_COLOURS = ("#2166ac", "#d6604d")
# For more classes: the same two and eight more.
MORE_COLOURS = (
    *CLASS_COLOURS,
    *("#1b9e77", "#e6ab02", "#7b3294", "#56b4e9"),
    *("#a6761d", "#e7298a", "#66a61e", "#6b6b6b"),
)
INK = "#333333"
FAINT = "#b5b5b5"


def axes(ax: Axes | None, *, size: tuple[float, float]) -> Axes:
    """Return the caller's Axes, or that of a new figure."""
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=size, layout="constrained")
    return ax


def feature_axes(ax: Axes | None, classifier: Any, order: np.ndarray) -> tuple[Axes, np.ndarray]:
    """Return Axes for one horizontal bar per feature, the first at the top, and the places of the bars."""
    ax = axes(ax, size=(5.6, 0.9 + 0.24 * len(order)))
    names = feature_names(classifier)
    places = np.arange(len(order))
    ax.set_yticks(places, [names[each] for each in order])
    ax.invert_yaxis()
    ax.margins(y=0.01)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    return ax, places


def class_colours(count: int) -> list[str]:
    """Return one colour per class. With more than ten classes they repeat."""
    return [MORE_COLOURS[k % len(MORE_COLOURS)] for k in range(count)]


def legend_beside(ax: Axes, *, title: str | None = None) -> None:
    """To the right of the plot: for many classes."""
    count = len(ax.get_legend_handles_labels()[0])
    legend = ax.legend(
        title=title,
        alignment="left",
        loc="upper left",
        bbox_to_anchor=(1.01, 1),
        ncols=-(-count // 20),
        fontsize=9,
        frameon=False,
        handletextpad=0.4,
        labelcolor=INK,
    )
    legend.get_title().set(fontsize=9, color=INK)


def finish(ax: Axes, *, title: str = "", x: str = "", y: str = "") -> Axes:
    ax.set_title(title, fontsize=11, color=INK, loc="left")
    ax.set_xlabel(x, color=INK)
    ax.set_ylabel(y, color=INK)
    ax.tick_params(colors=INK, labelsize=9)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_color(FAINT)
    return ax


def feature_names(classifier: Any) -> list[str]:
    return [column.name for column in classifier.columns_]


def class_index(classifier: Any, labels: Any) -> np.ndarray:
    """Return the index in classes_ of each label."""
    place = {label: k for k, label in enumerate(np.asarray(classifier.classes_).tolist())}
    labels = np.asarray(labels).tolist()
    for label in labels:
        if label not in place:
            raise ValueError(f"the classifier has no class {label!r}; its classes: {_listed(list(place))}")
    return np.array([place[label] for label in labels], dtype=int)


def _listed(classes: list[Any], most: int = 10) -> str:
    return ", ".join(map(repr, classes[:most])) + (", ..." if len(classes) > most else "")
