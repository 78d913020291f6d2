"""Functions of one or two columns with values at the entries of a grid (term/terms.hpp): a row has z entries that are
not 0, two of a column and four of a pair, each with its share.

The position of a number is a sum of ramps: sum_k clip((x - t_k)/(t_k+1 - t_k), 0, 1) is k + share between the knots
t_k and t_k+1, and whole beyond the ends. Entries increase, so that S is looked up in its lower triangle.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .graph import Graph, Value


class Entries:
    def __init__(self, graph: Graph, x: Value, terms: list[list[dict[str, Any]]]) -> None:
        entries, shares, first = [], [], 0
        for axes in terms:
            entry, share = _of_axis(graph, x, axes[0])
            if len(axes) == 2:
                second, its_share = _of_axis(graph, x, axes[1])
                size = np.array(_size(axes[1]))
                entry = ((entry * size).unsqueeze(2) + second.unsqueeze(1)).reshape(x.size(0), 4)
                share = (share.unsqueeze(2) * its_share.unsqueeze(1)).reshape(x.size(0), 4)
            entries.append(entry + np.array(first))
            shares.append(share)
            first += prod(map(_size, axes))
        self.graph = graph
        self.entry, self.share = graph("Concat", *entries, axis=1), graph("Concat", *shares, axis=1)  # rows x z
        z = sum(2 * len(axes) for axes in terms)
        i, j = np.tril_indices(z)
        left, right = self.entry.columns(i), self.entry.columns(j)
        self._place = left * (left + np.array(1)) / np.array(2) + right
        self._weight = self.share.columns(i) * self.share.columns(j) * np.where(i == j, 1.0, 2.0)

    def sum(self, beta: np.ndarray) -> Value:
        """h'beta of rows, a column for each column of beta."""
        return (self.share.unsqueeze(1) @ self.graph.value(beta).gather(self.entry)).squeeze(1)

    def square(self, S: np.ndarray) -> Value:
        """h'S h"""
        return (self.graph.value(S).gather(self._place) * self._weight).sum(1, keep=True)


def _size(axis: dict[str, Any]) -> int:
    return len(axis["levels"]) + len(axis["knots"])


def _of_axis(graph: Graph, x: Value, axis: dict[str, Any]) -> tuple[Value, Value]:
    """Both entries of each row, and their shares."""
    levels, knots = axis["levels"], axis["knots"]
    position: Any = float(len(levels)) if knots.size else 0.0
    if knots.size > 1:
        ramps = graph("Clip", (x.columns([axis["value"]]) - knots[:-1]) / np.diff(knots), 0.0, 1.0)
        position = ramps.sum(1, keep=True) + position
    if levels:
        own = x.columns(levels)
        at_level = (own * np.arange(float(len(levels)))).sum(1, keep=True)
        position = (own.sum(1, keep=True) > 0.5).where(at_level, position)
    entry = position.floor().at_most(float(_size(axis) - 2))
    right = position - entry
    return entry.integer() + np.array([0, 1]), graph("Concat", 1.0 - right, right, axis=1)
