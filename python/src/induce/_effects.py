"""What each feature does: its effect on the latent function and its importance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Effect:
    """The main effect of one feature: the latent function averaged over the other features, centred.

    It is in the units of the latent function (log odds for the logistic likelihood). `main` and `total` are shares of
    the variance of the latent function over the rows: due to this curve, and including interactions.

    Two classes have one curve, towards the second class: `mean`, `lower` and `upper` are as long as `values`. C >= 3
    classes have one each, on the latent function of the class minus the average of all: the arrays have shape (C,
    len(values)), and `mean[k]` belongs to `classes[k]`.
    """

    feature: str
    values: np.ndarray  # increasing, in the units of the data
    mean: np.ndarray
    lower: np.ndarray  # lower and upper: 95 % band
    upper: np.ndarray
    main: float
    total: float
    classes: np.ndarray  # of the curves: all, or of two the second


def effects_of(explanation: Any, names: list[str], classes: np.ndarray) -> list[Effect]:
    """From the core's tuples, in feature order."""
    curves, importance = explanation
    classes = classes[1:] if len(classes) == 2 else classes
    return [
        Effect(name, *curve, main=float(main), total=float(total), classes=classes)
        for name, curve, (main, total) in zip(names, curves, importance, strict=True)
    ]
