from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def training_curve(classifier: Any, *, x: str = "seconds", ax: Axes | None = None) -> Axes:
    """Plot the bound per row after each iteration against "seconds", "passes" or "iterations".

    There is one line per stage of the fit: rows and inducing inputs grow, and feature warps are compared. Earlier
    stages are fainter. The steep initial rise is cut off because it would hide the rest.
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
    ax.axhline(elbo, color=_style.FAINT, lw=1, ls="--", label=f"final true bound, {elbo:.4f}")
    _cut_off_initial_rise(ax, bound, elbo)
    ax.legend(loc="lower right", fontsize=9, frameon=False, labelcolor=_style.INK)
    return _style.finish(ax, x=x, y="bound, nats per row")


def _cut_off_initial_rise(ax: Axes, bound: np.ndarray, elbo: float) -> None:
    """Up to a tenth of the iterations may fall below the visible range."""
    top = max(bound.max(), elbo)
    floor = min(np.quantile(bound, 0.1), elbo)
    room = 0.08 * (top - floor) or 1.0
    ax.set_ylim(floor - room, top + room)
