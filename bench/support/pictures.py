"""Shared by the figures of all benchmarks: style, calibration panels and saving."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

# Text is stored as text, so that the files are small and searchable.
STYLE = {"font.size": 8, "svg.hashsalt": "induce", "svg.fonttype": "none"}


def legend_below(axes: Axes, columns: int = 2) -> None:
    axes.legend(fontsize=6, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncol=columns, frameon=False)


def calibration_panel(axes: Axes, title: str, curves: list[tuple[str, str, list[list[float]], float]]) -> None:
    """`curves`: label, colour, bins [rows, average probability, frequency], expected calibration error."""
    axes.plot([0, 1], [0, 1], color="0.7", lw=0.8)
    for label, colour, bins, ece in curves:
        text = f"{label} (ECE {ece:.3f})"
        axes.plot([b[1] for b in bins], [b[2] for b in bins], "o-", ms=2.5, lw=1, color=colour, label=text)
    axes.set(xlabel="predicted probability", ylabel="frequency", title=title)
    axes.set(aspect="equal", xlim=(0, 1), ylim=(0, 1))
    legend_below(axes)


def save(figure: plt.Figure, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)
    print(path)
