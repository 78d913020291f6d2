from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def feature_relevance(classifier: Any, *, top: int = 20, ax: Axes | None = None) -> Axes:
    """Plot inverse length-scales, largest first: how fast the prediction changes along each (scaled) feature."""
    relevance = classifier.feature_relevance_
    order = np.argsort(-relevance, kind="stable")[:top]
    ax, places = _style.feature_axes(ax, classifier, order)
    ax.barh(places, relevance[order], color=_style.CLASS_COLOURS[0], alpha=0.85, height=0.7)
    left_out = len(relevance) - len(order)
    title = f"{left_out} less relevant features not shown" if left_out else ""
    _style.finish(ax, title=title, x="relevance (1 / length-scale)")
    return ax
