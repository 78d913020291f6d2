from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEW = 12  # a curve with at most so many points shows them
LONGEST_NAME = 24  # of a feature, above its panel
LONGEST_LEVEL = 14  # of a category, below its panel
MOST_LEVELS = 12  # of a category: those with the largest effects
MOST_CLASSES = 5  # so many curves can be told apart in a small panel


def effects(
    classifier: Any,
    X: Any = None,
    *,
    features: list[int | str] | None = None,
    top: int = 6,
    columns: int = 3,
    classes: Sequence[Any] | None = None,
    axes: Any = None,
) -> np.ndarray:
    """Plot the effect of each feature on the latent function, with 95 % bands, most important first.

    Without X, the effects are those of the training rows. `features` selects features by name or index; otherwise the
    `top` most important are drawn. With more than two classes there is a curve for each of `classes`, or for the five
    that vary most over these features: its latent function minus the average of all classes. Returns the array of
    Axes: `axes` if given, else those of a new figure.
    """
    every = classifier.effects(X)
    if features is None:
        chosen = sorted(every, key=lambda effect: -effect.total)[:top]
    else:
        by_name = {effect.feature: effect for effect in every}
        chosen = [by_name[each] if isinstance(each, str) else every[each] for each in features]
    own_figure = axes is None
    axes = _panels(len(chosen), columns) if axes is None else np.atleast_1d(axes).ravel()
    if len(axes) < len(chosen):
        raise ValueError(f"there are {len(axes)} axes for {len(chosen)} features")
    curves = _curves(classifier, chosen, classes)
    for ax, effect in zip(axes, chosen, strict=False):
        _draw(ax, effect, curves)
    if len(classifier.classes_) > 2 and chosen:
        _legend(axes[0], classifier, curves, own_figure=own_figure, chosen=classes is not None)
    for ax in axes[len(chosen) :]:
        ax.set_visible(False)
    return axes


def importance(classifier: Any, *, top: int = 20, ax: Axes | None = None) -> Axes:
    """Plot the share of the latent function's variance due to each feature: main effect (dark) and in total."""
    shares = classifier.importance_
    order = np.argsort(-shares[:, 1], kind="stable")[:top]
    ax, places = _style.feature_axes(ax, classifier, order)
    colour = _style.CLASS_COLOURS[0]
    ax.barh(places, shares[order, 1], color=colour, alpha=0.35, height=0.7, label="total")
    ax.barh(places, shares[order, 0], color=colour, alpha=0.9, height=0.7, label="main effect")
    left_out = len(shares) - len(order)
    title = f"{left_out} less important features not shown" if left_out else ""
    _style.finish(ax, title=title, x="share of the variance of the latent function")
    ax.legend(loc="lower right", fontsize=9, frameon=False, labelcolor=_style.INK)
    return ax


def _panels(count: int, columns: int) -> np.ndarray:
    import matplotlib.pyplot as plt

    columns = max(1, min(columns, count))
    rows = max(1, -(-count // columns))
    size = (2.9 * columns, 2.4 * rows)
    _, axes = plt.subplots(rows, columns, figsize=size, sharey=True, squeeze=False, layout="constrained")
    return axes.ravel()


def _curves(classifier: Any, effects: list[Any], classes: Sequence[Any] | None) -> dict[int, str]:
    """Return the classes to draw, as rows of the effects' arrays, with their colours."""
    if len(classifier.classes_) == 2:
        return {0: _style.CLASS_COLOURS[0]}
    if classes is not None:
        rows = _style.class_index(classifier, classes)
    else:
        variation = sum((effect.mean.var(axis=1) for effect in effects), np.zeros(len(classifier.classes_)))
        rows = np.sort(np.argsort(-variation, kind="stable")[:MOST_CLASSES])
    return dict(zip(rows.tolist(), _style.class_colours(len(rows)), strict=True))


def _legend(ax: Axes, classifier: Any, curves: dict[int, str], *, own_figure: bool, chosen: bool) -> None:
    """Above the panels of a new figure; on the first of the caller's axes."""
    handles = [ax.plot([], [], color=colour, lw=1.6)[0] for colour in curves.values()]
    labels = [str(classifier.classes_[row]) for row in curves]
    count = len(classifier.classes_)
    title = None
    if len(curves) < count:
        title = f"{len(curves)} of {count} classes" + ("" if chosen else ", which vary most")
    style = {"title": title, "alignment": "left", "fontsize": 9, "frameon": False, "labelcolor": _style.INK}
    if own_figure:
        legend = ax.figure.legend(handles, labels, loc="outside upper left", ncols=min(len(labels), 8), **style)
    else:
        legend = ax.legend(handles, labels, **style)
    legend.get_title().set(fontsize=9, color=_style.INK)


def _draw(ax: Axes, effect: Any, curves: dict[int, str]) -> None:
    ax.axhline(0, color=_style.FAINT, lw=0.8, zorder=1)
    mean, lower, upper = (np.atleast_2d(each) for each in (effect.mean, effect.lower, effect.upper))
    alone = len(curves) == 1
    if effect.values.dtype == object:
        _draw_levels(ax, effect.values, (mean, lower, upper), curves)
        curves = {}
    for row, colour in curves.items():
        shade = 0.2 if alone else 0.1
        ax.fill_between(effect.values, lower[row], upper[row], color=colour, alpha=shade, lw=0, zorder=2)
        ax.plot(effect.values, mean[row], color=colour, lw=1.6, zorder=3)
        if len(effect.values) <= FEW:
            if alone:
                ax.vlines(effect.values, lower[row], upper[row], color=colour, lw=1.2, alpha=0.5, zorder=3)
            ax.plot(effect.values, mean[row], "o", color=colour, ms=4 if alone else 3, zorder=4)
    _style.finish(ax, title=f"{_shortened(effect.feature, LONGEST_NAME)}, {effect.total:.0%}", y="effect")


def _draw_levels(ax: Axes, levels: np.ndarray, shape: tuple[np.ndarray, ...], curves: dict[int, str]) -> None:
    """A point with its band for each level; classes side by side."""
    mean, lower, upper = shape
    size = np.abs(mean[list(curves)]).max(axis=0)
    shown = np.sort(np.argsort(-size, kind="stable")[:MOST_LEVELS])
    offsets = np.linspace(-0.25, 0.25, len(curves)) if len(curves) > 1 else [0.0]
    for offset, (row, colour) in zip(offsets, curves.items(), strict=True):
        places = np.arange(len(shown)) + offset
        ax.vlines(places, lower[row, shown], upper[row, shown], color=colour, lw=1.2, alpha=0.5, zorder=3)
        ax.plot(places, mean[row, shown], "o", color=colour, ms=4, zorder=4)
    names = [_shortened(level, LONGEST_LEVEL) for level in levels[shown]]
    ax.set_xticks(np.arange(len(shown)), names, rotation=45, ha="right", rotation_mode="anchor")


def _shortened(name: str, longest: int) -> str:
    return name if len(name) <= longest else name[: longest - 1] + "…"
