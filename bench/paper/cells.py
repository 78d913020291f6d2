"""The table of the paper's figures: data set, inducing inputs, and the accuracy each method ended at.

Read off the figures of the paper (some printed in the authors' notebooks); None: not in the paper.
"""

from __future__ import annotations

from dataclasses import dataclass

METHODS = ("vi-jj", "vi-taylor", "vi-jj-hybrid", "vi-jj-full", "svi-adadelta", "svi-lbfgs")


@dataclass(frozen=True)
class Cell:
    inducing: int
    batch: int  # of svi-adadelta
    accuracy: dict[str, float]


def _row(inducing: int, batch: int, *accuracy: float) -> Cell:
    return Cell(inducing, batch, dict(zip(METHODS, accuracy, strict=True)))


DATA_SETS = {
    "german": _row(20, 50, 0.725, 0.72, 0.73, 0.725, 0.725, 0.73),
    "svmguide1": _row(25, 50, 0.9645, 0.964, 0.964, 0.963, 0.964, 0.959),
    "magic": _row(50, 150, 0.865, 0.864, 0.860, 0.849, 0.859, 0.860),
    "ijcnn1": _row(100, 350, 0.941, 0.941, 0.940, 0.929, 0.938, 0.943),
    "cod-rna": _row(400, 500, 0.9641, 0.9622, 0.963, 0.959, 0.9635, 0.9632),
    "skin_nonskin": _row(20, 2000, 0.99755, 0.99839, 0.997, 0.983, 0.99716, 0.99694),
    "a8a": _row(500, 200, 0.839, 0.803, 0.842, 0.839, 0.846, 0.836),
}
