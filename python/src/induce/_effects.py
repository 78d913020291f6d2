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
    """

    feature: str
    values: np.ndarray  # increasing, in the units of the data
    mean: np.ndarray
    lower: np.ndarray  # lower and upper: 95 % band
    upper: np.ndarray
    main: float
    total: float


def effects_of(explanation: Any, names: list[str]) -> list[Effect]:
    """From the core's tuples, in feature order."""
    curves, importance = explanation
    return [
        Effect(name, *curve, main=float(main), total=float(total))
        for name, curve, (main, total) in zip(names, curves, importance, strict=True)
    ]
