"""What is found in all partitions together: columns, levels, classes, weights. It tells how to read each of them.

The rules are those of tables in memory (_table.py), so the result is that of the concatenated partitions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import assert_all_finite, check_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from .. import _core, _labels, _table, _weights
from .._cells import Storage, common_storage, storages_of
from .._choices import Choices
from .._columns import FLOATS
from .._frame import Frame, frame_of, frame_of_numbers, frame_of_objects, has_texts, shown, text_names
from .._table import Column
from ._cluster import Cluster
from ._parts import Parts, is_frame


@dataclass(frozen=True)
class Shape:
    """How X looks from outside."""

    names: list[str] | None
    count: int
    as_array: str  # "numbers" or "objects"; empty for a DataFrame
    wishes: list[str]

    def frame(self, X: Any) -> Frame:
        """A partition by columns."""
        if not self.as_array:
            found = frame_of(X)
            assert found is not None
            return found
        return frame_of_objects(np.asarray(X, dtype=object)) if self.as_array == "objects" else frame_of_numbers(X)


@dataclass
class Recipe:
    shape: Shape
    plain: bool  # numbers in an array, used as they are
    columns: list[Column]
    warnings: list[str]
    classes: np.ndarray
    storages: list[Storage | None] = field(default_factory=list)  # of columns of objects
    values: dict[int, dict[str, float]] = field(default_factory=dict)  # of spellings, by position
    factors: np.ndarray | None = None  # of classes

    def read(self, x: Any, y: Any, weight: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """A partition as the core has it."""
        rows = self._matrix(x)
        index = _labels.index_of(_checked_labels(y), self.classes)
        weights = None if weight is None else _weights.checked_part(weight, len(index))
        if self.factors is not None:
            weights = self.factors[index] if weights is None else weights * self.factors[index]
        return rows, index, weights

    def _matrix(self, x: Any) -> np.ndarray:
        if self.plain:
            return check_array(x, **FLOATS)
        frame = self.shape.frame(x)
        columns = []
        for position in (column.position for column in self.columns):
            cells = frame.cells(position, self.storages[position])
            if position in self.values:
                spellings, index = cells.spelled()
                values = np.array([self.values[position][each] for each in spellings], dtype=np.float64)
                columns.append(_table.column_of(cells, values, index))
            else:
                columns.append(_table.column_of(cells, None, np.empty(0, np.intp)))
        return _table.matrix_of(columns)


class Weights(NamedTuple):
    """Of one or more partitions."""

    positive: bool
    totals: list[list[float]]  # of each class, exact (_weights.py)


def find_recipe(cluster: Cluster, X: Any, parts: Parts, choices: Choices, class_weight: Any) -> Recipe:
    if sum(parts.rows) < 2:
        raise _core.Error(f"X has {sum(parts.rows)} rows: at least 2 are needed")
    shape = _shape_of(cluster, X, parts, choices)
    recipe = Recipe(shape, shape.as_array == "numbers" and choices.are_defaults(), [], [], np.empty(0))
    _find_columns(cluster, parts, recipe)
    labels = [cluster.client.submit(_different, part.y, pure=False) for part in parts.parts]
    # Each label three times: a label per row would look like a number to predict.
    recipe.classes, _ = _labels.encode(np.tile(cluster.sum(labels, _different_in_all), 3))
    _find_weights(cluster, parts, recipe, class_weight)
    return recipe


def _shape_of(cluster: Cluster, X: Any, parts: Parts, choices: Choices) -> Shape:
    if is_frame(X):
        names, as_array = text_names(list(X.columns)), ""
        count = len(X.columns)
        frame_of(X._meta)  # errors about names
    else:
        names, count = None, X.shape[1]
        as_array = "numbers"
        if X.dtype.kind in "OUT":
            texts = [cluster.client.submit(_has_texts, part.x, pure=False) for part in parts.parts]
            as_array = "objects" if cluster.sum(texts, any) else "numbers"
    return Shape(names, count, as_array, choices.wishes(count, names))


def _find_columns(cluster: Cluster, parts: Parts, recipe: Recipe) -> None:
    shape = recipe.shape
    if recipe.plain:
        recipe.columns = _table.number_columns(shape.names, shape.count)
        return
    possible = [cluster.client.submit(_possible, shape, part.x, pure=False) for part in parts.parts]
    recipe.storages = _storages(cluster.sum(possible, _possible_in_all))
    look = [cluster.client.submit(_seen, shape, recipe.storages, part.x, pure=False) for part in parts.parts]
    used = _table.Used(shape.names, shape.count)
    schema = cluster.sum(look, partial(_seen_in_all, shape))
    for position, wish in enumerate(shape.wishes):
        if wish == "dropped":
            continue
        found = used.add(position, wish, schema)
        if found.values is not None and not found.why_not:
            recipe.values[position] = dict(zip(schema.texts(position), found.values.tolist(), strict=True))
    used.check()
    recipe.columns, recipe.warnings = used.columns, used.warnings


def _find_weights(cluster: Cluster, parts: Parts, recipe: Recipe, class_weight: Any) -> None:
    balanced = isinstance(class_weight, str) and class_weight == "balanced"
    totals = [[] for _ in recipe.classes]
    if balanced or parts.parts[0].weight is not None:
        known = recipe.classes if balanced else recipe.classes[:0]
        each = [cluster.client.submit(_weights_of, known, part.y, part.weight, pure=False) for part in parts.parts]
        found = cluster.sum(each, _weights_of_all)
        _weights.check_any(found.positive)
        totals = found.totals
    if class_weight is not None:
        recipe.factors = _weights.per_class(recipe.classes, [math.fsum(each) for each in totals], class_weight)


def _has_texts(x: np.ndarray) -> bool:
    return has_texts(np.asarray(x, dtype=object))


Possible = list[list[Any]]  # of each column: sets of storages of its parts, if it has objects


def _possible(shape: Shape, x: Any) -> Possible:
    frame = shape.frame(x)
    objects = [frame.objects(k) if wish != "dropped" else None for k, wish in enumerate(shape.wishes)]
    return [[] if values is None else [storages_of(values)] for values in objects]


def _possible_in_all(parts: list[Possible]) -> Possible:
    return [_distinct([each for part in column for each in part]) for column in zip(*parts, strict=True)]


def _distinct(each: list[Any]) -> list[Any]:
    return [one for k, one in enumerate(each) if one not in each[:k]]


def _storages(possible: Possible) -> list[Storage | None]:
    return [common_storage(column) if column else None for column in possible]


def _seen(shape: Shape, storages: list[Storage | None], x: Any) -> _core.Schema:
    frame, schema = shape.frame(x), _core.Schema()
    for position, wish in enumerate(shape.wishes):
        if wish != "dropped":
            _table.look_at(schema, position, frame.cells(position, storages[position]), wish)
    return schema


def _seen_in_all(shape: Shape, parts: list[_core.Schema]) -> _core.Schema:
    all_names = [shown(shape.names, position) for position in range(shape.count)]
    schema = _core.Schema()
    for part in parts:
        schema.add(part, all_names)
    return schema


def _checked_labels(y: Any) -> np.ndarray:
    labels = column_or_1d(y, warn=True)
    _labels.refuse_missing(labels)
    assert_all_finite(labels, input_name="y")
    return labels


def _different(y: Any) -> np.ndarray:
    labels = _checked_labels(y)
    check_classification_targets(np.tile(labels, 3))
    return np.unique(labels)


def _different_in_all(parts: list[np.ndarray]) -> np.ndarray:
    return np.unique(np.concatenate(parts))


def _weights_of(classes: np.ndarray, y: Any, weight: Any) -> Weights:
    labels = _checked_labels(y)
    weights = np.ones(len(labels)) if weight is None else _weights.checked_part(weight, len(labels))
    if not len(classes):
        return Weights(bool(weights.any()), [])
    return Weights(
        bool(weights.any()),
        _weights.totals_of_classes(_labels.index_of(labels, classes), weights, len(classes)),
    )


def _weights_of_all(parts: list[Weights]) -> Weights:
    totals = [
        [number for each in column for number in each] for column in zip(*(p.totals for p in parts), strict=True)
    ]
    return Weights(any(part.positive for part in parts), totals)
