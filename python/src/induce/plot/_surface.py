from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _style

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def decision_surface(
    classifier: Any,
    X: Any,
    y: Any,
    *,
    features: tuple[int | str, int | str] = (0, 1),
    resolution: int = 200,
    max_points: int = 1000,
    ax: Axes | None = None,
) -> Axes:
    """Plot the probability of `classes_[1]` over two features, with the 0.5 contour, rows and inducing inputs.

    With more than two classes, plot the most probable class, the more probable the darker, with the borders between
    classes. Other features are held at their medians. At most `max_points` rows are drawn, evenly spaced through the
    table.
    """
    if any(column.kind != "number" for column in classifier.columns_):
        raise ValueError("decision_surface is for tables of numbers: use induce.plot.effects")
    names = _style.feature_names(classifier)
    across, up = (names.index(each) if isinstance(each, str) else each for each in features)
    table, y = classifier._read_columns(X), np.asarray(y)
    grid_x, grid_y = (_grid(table[:, each], resolution) for each in (across, up))
    probability = _probability(classifier, table, (across, up), grid_x, grid_y)

    ax = _style.axes(ax, size=(5.6 if probability.ndim == 2 else 6.4, 4.4))
    if probability.ndim == 2:
        _probability_of_second(ax, classifier, probability, grid_x, grid_y)
    else:
        _most_probable(ax, probability, grid_x, grid_y)
    _rows(ax, table, y, classifier.classes_, (across, up), max_points)
    Z = classifier.inducing_inputs_
    ax.plot(Z[:, across], Z[:, up], "x", color=_style.INK, ms=5, mew=1.2, label="inducing inputs")
    ax.set_xlim(grid_x[0], grid_x[-1])
    ax.set_ylim(grid_y[0], grid_y[-1])
    if probability.ndim == 2:
        # above the plot, so that it hides no rows
        ax.legend(
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=3,
            fontsize=9,
            frameon=False,
            handletextpad=0.3,
            columnspacing=1.2,
            labelcolor=_style.INK,
        )
    else:
        _style.legend_beside(ax)
    return _style.finish(ax, x=names[across], y=names[up])


def _probability_of_second(ax, classifier, probability, grid_x, grid_y) -> None:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.ticker import PercentFormatter

    low, high = _style.CLASS_COLOURS
    colours = LinearSegmentedColormap.from_list("induce", [low, "#f7f7f7", high])
    surface = _image(ax, probability, grid_x, grid_y, cmap=colours, vmin=0, vmax=1)
    ax.contour(grid_x, grid_y, probability, levels=[0.5], colors=_style.INK, linewidths=1.2)
    bar = ax.figure.colorbar(surface, ax=ax, ticks=[0, 0.25, 0.5, 0.75, 1], format=PercentFormatter(1), pad=0.02)
    bar.set_label(f"probability of {classifier.classes_[1]}", color=_style.INK)
    bar.ax.tick_params(colors=_style.INK, labelsize=9)
    bar.outline.set_visible(False)


def _most_probable(ax, probability, grid_x, grid_y) -> None:
    """The colour of the most probable class, from white at 1 / C, where nothing is known, to full at 1."""
    from matplotlib.colors import to_rgb

    count = probability.shape[2]
    winner, most = probability.argmax(axis=2), probability.max(axis=2)
    strength = ((most - 1 / count) / (1 - 1 / count))[:, :, None]
    colours = np.array([to_rgb(colour) for colour in _style.class_colours(count)])
    _image(ax, 1 - strength * (1 - colours[winner]), grid_x, grid_y)
    for k in np.unique(winner):  # its border: as probable as the best of the others
        others = np.delete(probability, k, axis=2).max(axis=2)
        margin = probability[:, :, k] - others
        if margin.min() < 0 < margin.max():
            ax.contour(grid_x, grid_y, margin, levels=[0], colors=_style.INK, linewidths=0.8)


def _image(ax, values, grid_x, grid_y, **settings):
    return ax.imshow(
        values,
        extent=(grid_x[0], grid_x[-1], grid_y[0], grid_y[-1]),
        origin="lower",
        aspect="auto",
        interpolation="bilinear",
        alpha=0.6,
        **settings,
    )


def _grid(column: np.ndarray, resolution: int) -> np.ndarray:
    low, high = np.nanmin(column), np.nanmax(column)
    margin = 0.06 * (high - low or 1.0)
    return np.linspace(low - margin, high + margin, resolution)


def _probability(classifier, table, features, grid_x, grid_y) -> np.ndarray:
    """On the grid: of the second class, or with a third axis of each."""
    mesh_x, mesh_y = np.meshgrid(grid_x, grid_y)
    points = np.tile(np.nanmedian(table, axis=0), (mesh_x.size, 1))
    points[:, features[0]], points[:, features[1]] = mesh_x.ravel(), mesh_y.ravel()
    probability, _, _ = classifier.model_.predict(points)
    if probability.shape[1] == 2:
        probability = probability[:, 1]
    return probability.reshape(*mesh_x.shape, *probability.shape[1:])


def _rows(ax, table, y, classes, features, max_points) -> None:
    drawn = slice(None, None, -(-len(table) // max_points))
    table, y = table[drawn], y[drawn]
    for label, colour in zip(classes, _style.class_colours(len(classes)), strict=True):
        of_class = table[y == label]
        x, up = of_class[:, features[0]], of_class[:, features[1]]
        ax.scatter(x, up, s=14, color=colour, edgecolor="white", linewidth=0.4, label=str(label))
