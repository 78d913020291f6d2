from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def training_curve(classifier: Any, *, x: str = "seconds", ax: Axes | None = None) -> Axes:
    """The bound after each iteration against "seconds", "passes" or "iterations", and the true bound at the end.

    The first, steep part of the climb would hide the rest: the picture starts where the last tenth of it begins.
    """
    history = classifier.history_
    bound, elbo = history["bound"], history["elbo"]
    places = {
        "iterations": np.arange(1, len(bound) + 1),
        "seconds": history["seconds"],
        "passes": history["passes"],
    }
    if x not in places:
        raise ValueError(f"x = {x!r}: must be one of {', '.join(places)}")

    ax = _style.axes(ax, size=(5.6, 3.6))
    ax.plot(
        places[x],
        bound,
        color=_style.CLASS_COLOURS[0],
        lw=1.6,
        label=f"bound of {classifier.report_['method']}",
    )
    if np.isfinite(elbo).any():
        ax.plot(places[x], elbo, color=_style.CLASS_COLOURS[1], lw=1.6, label="true bound")
    ax.axhline(
        classifier.elbo_,
        color=_style.FAINT,
        lw=1,
        ls="--",
        label=f"true bound at the end, {classifier.elbo_:.1f}",
    )
    top = max(bound.max(), classifier.elbo_)
    climb = top - bound.min()
    steep = np.flatnonzero(bound < top - 0.1 * climb)
    floor = bound.min() if len(steep) < 3 else top - 0.25 * climb
    ax.set_ylim(floor - 0.02 * (top - floor), top + 0.06 * (top - floor))
    ax.legend(loc="lower right", fontsize=9, frameon=False, labelcolor=_style.INK)
    return _style.finish(ax, x=x, y="evidence lower bound")
