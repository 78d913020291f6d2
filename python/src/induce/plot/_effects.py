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

Shape = tuple[np.ndarray, np.ndarray, np.ndarray]  # mean, lower and upper: a row per class


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
    if len(classifier.classes_) > 2 and not classifier.model_.ordered and chosen:
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
    if len(classifier.classes_) == 2 or classifier.model_.ordered:
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
    missing = None if effect.missing is None else effect.missing.reshape(3, -1)
    hidden = ""
    if effect.values.dtype == object:
        hidden = _draw_levels(ax, effect.values, (mean, lower, upper), missing, curves)
    else:
        _draw_curves(ax, effect.values, (mean, lower, upper), missing, curves)
    _style.finish(ax, title=f"{_shortened(effect.feature, LONGEST_NAME)}, {effect.total:.0%}", x=hidden, y="effect")


def _draw_curves(
    ax: Axes, values: np.ndarray, shape: Shape, missing: np.ndarray | None, curves: dict[int, str]
) -> None:
    mean, lower, upper = shape
    alone = len(curves) == 1
    for row, colour in curves.items():
        shade = 0.2 if alone else 0.1
        ax.fill_between(values, lower[row], upper[row], color=colour, alpha=shade, lw=0, zorder=2)
        ax.plot(values, mean[row], color=colour, lw=1.6, zorder=3)
        if len(values) <= FEW:
            if alone:
                ax.vlines(values, lower[row], upper[row], color=colour, lw=1.2, alpha=0.5, zorder=3)
            ax.plot(values, mean[row], "o", color=colour, ms=4 if alone else 3, zorder=4)
    if values.dtype.kind == "M":
        _few_dates(ax)
    if missing is not None:
        beyond = values[-1] + (values[-1] - values[0]) / 8  # to the right of the curve
        _draw_points(ax, [beyond], missing[:, :, None], curves, marker="D")
        ax.annotate(
            "missing",
            (beyond, missing[2].max()),
            (0, 3),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            color=_style.INK,
        )


def _few_dates(ax: Axes) -> None:
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    locator = AutoDateLocator(minticks=2, maxticks=4)
    ax.xaxis.set_major_locator(locator)
    ax.xaxis.set_major_formatter(ConciseDateFormatter(locator))


def _draw_levels(
    ax: Axes, levels: np.ndarray, shape: Shape, missing: np.ndarray | None, curves: dict[int, str]
) -> str:
    """Returns what is not drawn, in words."""
    means = shape[0][list(curves)]
    size = np.abs(means).max(axis=0)
    size[np.concatenate([means.argmin(axis=1), means.argmax(axis=1)])] = np.inf
    shown = np.sort(np.argsort(-size, kind="stable")[:MOST_LEVELS])
    points = np.stack(shape)[:, :, shown]
    names = [_shortened(level, LONGEST_LEVEL) for level in levels[shown]]
    if missing is not None:
        points, names = np.concatenate([points, missing[:, :, None]], axis=2), [*names, "missing"]
    _draw_points(ax, range(len(names)), points, curves, marker="o")
    ax.set_xticks(range(len(names)), names, rotation=45, ha="right", rotation_mode="anchor")
    ax.set_xlim(-0.5, len(names) - 0.5)
    hidden = len(levels) - len(shown)
    return f"{hidden} more level{'s' if hidden > 1 else ''} not shown" if hidden else ""


def _draw_points(ax: Axes, places: Any, points: np.ndarray, curves: dict[int, str], marker: str) -> None:
    """Points with their bands, from an array of (mean, lower, upper) x classes x places."""
    for row, colour in curves.items():
        mean, lower, upper = points[:, row]
        ax.vlines(places, lower, upper, color=colour, lw=1.2, alpha=0.5, zorder=3)
        ax.plot(places, mean, marker, color=colour, ms=4, zorder=4)


def _shortened(name: str, longest: int) -> str:
    return name if len(name) <= longest else name[: longest - 1] + "…"
