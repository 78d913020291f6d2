"""From the rows of a table, as doubles, to the features of the kernel in the model's units
(table/feature_map.hpp), and what happens to rows with gaps that the model has not learned to judge
(model/predict.cpp)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .graph import Graph, Value, expm1, log1p


def averaged_over_gaps(
    graph: Graph, table: Value, plain: dict[str, Any], probabilities: Callable[[Value], Value], classes: int
) -> Value:
    """Rows with unusual gaps are put behind the others, once with each of R typical rows in their gaps, and their
    probabilities averaged. Without such rows nothing is added."""
    typical, gaps = plain["typical_values"], np.array(plain["gaps"], dtype=float)
    if typical.size == 0:
        return probabilities(table)
    draws, width = typical.shape
    missing = table.is_nan().double()
    unusual = ((missing * (1 - gaps)).sum(1) > 0.0) | (missing.sum(1) > float(plain["most_gaps"]))
    rows = graph("NonZero", unusual).squeeze(0)
    gappy = table.gather(rows).unsqueeze(1)
    filled = gappy.is_nan().where(typical[None], gappy)
    # A number in the gap, too, where the row is replaced below: no index may be made of NaN.
    kept = (unusual.unsqueeze(1) & table.is_nan()).where(typical[:1], table)
    count = table.size(0)
    each = probabilities(graph("Concat", kept, filled.reshape(rows.size(0) * draws, width), axis=0))
    mixed = each.slice(count, np.array([2**62]), 0).reshape(rows.size(0), draws, classes).sum(1) / float(draws)
    return graph("ScatterND", each.slice(np.array([0]), count, 0), rows.unsqueeze(1), mixed)


def model_units(graph: Graph, table: Value, plain: dict[str, Any]) -> Value:
    x = _features(graph, table, plain)
    exponent = plain["warp_exponent"]
    if exponent.size:
        u = ((x - plain["warp_origin"]) / plain["warp_unit"]).within(1e30)
        x = graph.value(exponent == 1).where(x, _yeo_johnson(graph, u, exponent))
    x = (x - plain["shift"]) / plain["scale"]
    return x.is_nan().where(0.0, x) if plain["encoded"] else x


def _yeo_johnson(graph: Graph, u: Value, exponent: np.ndarray) -> Value:
    """power(l, p) = (exp(p l) - 1)/p with l = log(1 + |u|) for u >= 0, and -power(l, 2 - p) for u < 0."""
    p = (u < 0.0).where(2 - exponent, exponent)
    straight = p.equals(0.0)
    l = log1p(u.abs())  # noqa: E741
    power = straight.where(l, expm1(p * l) / straight.where(1.0, p))
    return graph("Sign", u) * power


def _features(graph: Graph, table: Value, plain: dict[str, Any]) -> Value:
    if plain["used_columns"]:
        return table.columns(plain["used_columns"]) @ plain["projection"]
    if not plain["encoded"]:
        return table
    pieces: dict[int, Value] = {}  # by their first feature
    for k, column in enumerate(plain["columns"]):
        _encode(table.columns([k]), column, pieces)
    return graph("Concat", *(pieces[first] for first in sorted(pieces)), axis=1)


def _encode(x: Value, column: dict[str, Any], pieces: dict[int, Value]) -> None:
    is_number = column["value"] is not None
    known = np.array(column["repeated"] if is_number else column["levels"], dtype=float)
    own = (x if is_number else x.floor()).equals(known[None]).double() if known.size else None
    if own is not None:
        pieces[column["first_level"]] = own
    missing = None if column["missing"] is None else x.is_nan().double()
    if missing is not None:
        pieces[column["missing"]] = missing
    if is_number:
        pieces[column["value"]] = x
        return
    other = x * 0.0
    other = other.equals(other).double() * 0.0 + 1.0 if own is None else 1.0 - own.sum(1, keep=True)
    pieces[column["other"]] = other if missing is None else other - missing
