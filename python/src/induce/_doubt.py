"""What kind of doubt predictions have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

STEPS = 200  # of alpha in report_["set_thresholds"], from 0 to 1/2


class Doubt(NamedTuple):
    """One value per row; p_low and p_high also per class if there are three or more."""

    p_low: np.ndarray  # with p_high: where the probability (of classes_[1]) lies with 95 %
    p_high: np.ndarray
    noise: np.ndarray  # the part of the entropy, in nats, that stays if the latent functions are known
    knowledge: np.ndarray  # the part that more training rows could remove
    novelty: np.ndarray  # from 0 to 1: the share of the prior variance that no inducing input explains


def smallest_sets(probability: np.ndarray, alpha: float, thresholds: Sequence[float]) -> np.ndarray:
    """Of each row, the fewest classes that are right with probability 1 - alpha: True in a set.

    `thresholds`: report_["set_thresholds"], or none to take the probabilities as they are.
    """
    order = np.argsort(-probability, axis=1, kind="stable")
    ordered = np.take_along_axis(probability, order, axis=1)
    before = np.cumsum(ordered, axis=1) - ordered
    sets = np.zeros(probability.shape, dtype=bool)
    if len(thresholds):  # at the next smaller alpha
        inside = before <= thresholds[min(int(alpha * STEPS + 1e-9), len(thresholds) - 1)]
    else:
        inside = before < 1 - alpha - 1e-12  # .7 and .2 are .9
    np.put_along_axis(sets, order, inside, axis=1)
    return sets
