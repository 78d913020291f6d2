"""What kind of doubt predictions have."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Doubt(NamedTuple):
    """One value per row; p_low and p_high also per class if there are three or more."""

    p_low: np.ndarray  # with p_high: where the probability (of classes_[1]) lies with 95 %
    p_high: np.ndarray
    noise: np.ndarray  # the part of the entropy, in nats, that stays if the latent functions are known
    knowledge: np.ndarray  # the part that more training rows could remove
    novelty: np.ndarray  # from 0 to 1: the share of the prior variance that no inducing input explains


def smallest_sets(probability: np.ndarray, share: float) -> np.ndarray:
    """Of each row, the fewest classes whose probabilities add up to at least the share: True in a set."""
    order = np.argsort(-probability, axis=1, kind="stable")
    ordered = np.take_along_axis(probability, order, axis=1)
    before = np.cumsum(ordered, axis=1) - ordered
    sets = np.zeros(probability.shape, dtype=bool)
    np.put_along_axis(sets, order, before < share - 1e-12, axis=1)  # .7 and .2 are .9
    return sets
