from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEW = 12  # a curve with at most so many points shows them


def effects(
    classifier: Any,
    X: Any = None,
    *,
    features: list[int | str] | None = None,
    top: int = 6,
    columns: int = 3,
    axes: Any = None,
) -> np.ndarray:
    """Plot the effect of each feature on the latent function, with 95 % bands, most important first.

    Without X, the effects are those of the training rows. `features` selects features by name or index; otherwise the
    `top` most important are drawn. Returns the array of Axes: `axes` if given, else those of a new figure.
    """
    every = classifier.effects(X)
    if features is None:
        chosen = sorted(every, key=lambda effect: -effect.total)[:top]
    else:
        by_name = {effect.feature: effect for effect in every}
        chosen = [by_name[each] if isinstance(each, str) else every[each] for each in features]
    axes = _panels(len(chosen), columns) if axes is None else np.atleast_1d(axes).ravel()
    if len(axes) < len(chosen):
        raise ValueError(f"there are {len(axes)} axes for {len(chosen)} features")
    for ax, effect in zip(axes, chosen, strict=False):
        _draw(ax, effect)
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


def _draw(ax: Axes, effect: Any) -> None:
    colour = _style.CLASS_COLOURS[0]
    ax.axhline(0, color=_style.FAINT, lw=0.8, zorder=1)
    ax.fill_between(effect.values, effect.lower, effect.upper, color=colour, alpha=0.2, lw=0, zorder=2)
    ax.plot(effect.values, effect.mean, color=colour, lw=1.6, zorder=3)
    if len(effect.values) <= FEW:
        ax.vlines(effect.values, effect.lower, effect.upper, color=colour, lw=1.2, alpha=0.5, zorder=3)
        ax.plot(effect.values, effect.mean, "o", color=colour, ms=4, zorder=4)
    _style.finish(ax, title=f"{effect.feature}, {effect.total:.0%}", y="effect")
