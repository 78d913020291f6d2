from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def training_curve(classifier: Any, *, x: str = "seconds", ax: Axes | None = None) -> Axes:
    """The bound, per row, after each iteration against "seconds", "passes" or "iterations".

    One line for each stage of the fit: rows and inducing inputs grow, and ways to warp the features compete. Earlier
    stages are fainter. The first, steep part of a climb would hide the rest and is cut off.
    """
    history = classifier.history_
    places = {**history, "iterations": np.arange(1, classifier.n_iter_ + 1)}
    if x not in ("seconds", "passes", "iterations"):
        raise ValueError(f"x = {x!r}: must be one of seconds, passes, iterations")

    ax = _style.axes(ax, size=(5.6, 3.6))
    bound = history["bound"] / history["rows"]
    stages = [np.flatnonzero(history["stage"] == stage) for stage in np.unique(history["stage"])]
    for number, stage in enumerate(stages):
        last = number == len(stages) - 1
        rows, m = (int(history[name][stage[-1]]) for name in ("rows", "m"))
        label = f"{classifier.report_['method']}, {rows:,} rows, m = {m}" if last else None
        colour = _style.CLASS_COLOURS[0]
        ax.plot(places[x][stage], bound[stage], color=colour, lw=1.6, alpha=1 if last else 0.35, label=label)
    elbo = classifier.elbo_ / history["rows"][-1]
    ax.axhline(elbo, color=_style.FAINT, lw=1, ls="--", label=f"true bound at the end, {elbo:.4f}")
    _cut_off_the_steep(ax, bound, elbo)
    ax.legend(loc="lower right", fontsize=9, frameon=False, labelcolor=_style.INK)
    return _style.finish(ax, x=x, y="bound, nats a row")


def _cut_off_the_steep(ax: Axes, bound: np.ndarray, elbo: float) -> None:
    """The lowest tenth of the iterations may leave the picture at the bottom."""
    top = max(bound.max(), elbo)
    floor = min(np.quantile(bound, 0.1), elbo)
    room = 0.08 * (top - floor) or 1.0
    ax.set_ylim(floor - room, top + room)
