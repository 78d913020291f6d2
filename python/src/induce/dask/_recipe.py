"""What is found in all partitions together: columns, levels, classes, weights. It tells how to read each of them.

The rules are those of tables in memory (_table.py), so the result is that of the concatenated partitions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
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
from .._frame import Frame, frame_of, frame_of_numbers, frame_of_objects, has_texts, objects_of, text_names
from .._table import ROWS_FOR_DOUBT, Column, Found, Reading
from ._cluster import Cluster
from ._parts import Parts, is_frame


@dataclass(frozen=True)
class Shape:
    """How X looks from outside."""

    names: list[str] | None
    count: int
    as_array: str  # "numbers" or "objects"; empty for a DataFrame
    storages: list[Storage | None] | None = None  # of columns of objects

    def rows(self, reading: Reading, X: Any) -> _core.ArrowStream:
        """Of a partition."""
        return self._frame(X).stream(reading.positions)

    def _frame(self, X: Any) -> Frame:
        if not self.as_array:
            found = frame_of(X, self.storages)
            assert found is not None
            return found
        if self.as_array == "numbers":
            return frame_of_numbers(np.asarray(X, dtype=np.float64))
        return frame_of_objects(np.asarray(X, dtype=object), self.storages)


@dataclass
class Recipe:
    shape: Shape
    columns: list[Column]
    warnings: list[str]
    classes: np.ndarray
    reading: Reading | None = None  # None: numbers in an array, used as they are
    class_weights: list[float] = field(default_factory=list)  # one per class, or none

    def read(self, x: Any, y: Any, weight: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """A partition as the core has it."""
        rows = self.matrix(x)
        index = _labels.index_of(_checked_labels(y), self.classes)
        return rows, index, None if weight is None else _weights.checked_part(weight, len(index))

    def matrix(self, x: Any) -> np.ndarray:
        if self.reading is None:
            return check_array(x, **FLOATS)
        return self.reading.reader(threads=1).read(self.shape.rows(self.reading, x))[0]


class Weights(NamedTuple):
    """Of one or more partitions."""

    positive: bool
    totals: list[list[float]]  # of each class, exact (_weights.py)


def find_recipe(
    cluster: Cluster, X: Any, parts: Parts, choices: Choices, class_weight: Any, encode: Any = _labels.encode
) -> Recipe:
    if sum(parts.rows) < 2:
        raise _core.Error(f"X has {sum(parts.rows)} rows: at least 2 are needed")
    shape = _shape_of(cluster, X, parts)
    recipe = Recipe(shape, _table.number_columns(shape.names, shape.count), [], np.empty(0))
    if shape.as_array != "numbers" or not choices.are_defaults():
        _find_columns(cluster, parts, recipe, choices)
    labels = [cluster.client.submit(_different, part.y, pure=False) for part in parts.parts]
    # Each label three times: a label per row would look like a number to predict.
    recipe.classes, _ = encode(np.tile(cluster.sum(labels, _different_in_all), 3))
    _find_weights(cluster, parts, recipe, class_weight)
    return recipe


def _shape_of(cluster: Cluster, X: Any, parts: Parts) -> Shape:
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
    return Shape(names, count, as_array)


def _find_columns(cluster: Cluster, parts: Parts, recipe: Recipe, choices: Choices) -> None:
    reading = _table.to_learn(recipe.shape.names, recipe.shape.count, choices)
    possible = [cluster.client.submit(_possible, recipe.shape, reading, part.x, pure=False) for part in parts.parts]
    shape = recipe.shape = replace(recipe.shape, storages=_storages(cluster.sum(possible, _possible_in_all)))
    look = [cluster.client.submit(_seen, shape, reading, part.x, pure=False) for part in parts.parts]
    reader = reading.reader()
    all_found, warnings = reader.find(cluster.sum(look, partial(_seen_in_all, reader.shown)))
    found = [Found(*each) for each in all_found]
    if not found:
        raise _table.no_columns(shape.count, warnings)
    recipe.columns = _table.used(shape.names, found)
    recipe.reading = reading._replace(
        positions=[each.position for each in found],
        known=_table.kinds_of(recipe.columns),
        spellings=tuple(each.spelling for each in found),
    )
    recipe.warnings = warnings + _table.doubts(reading, found, _first_numbers(cluster, parts, recipe))


def _first_numbers(cluster: Cluster, parts: Parts, recipe: Recipe) -> dict[int, np.ndarray]:
    """The columns of whole numbers, by position, in the rows that tell whether they are ids."""
    left = ROWS_FOR_DOUBT - np.cumsum([0, *parts.rows])[:-1]
    each = [
        cluster.client.submit(_whole_numbers, recipe, part.x, int(rows), pure=False)
        for part, rows in zip(parts.parts, left, strict=True)
        if rows > 0
    ]
    return cluster.sum(each, _joined)


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
        sums = [math.fsum(each) for each in totals]
        recipe.class_weights = _weights.per_class(recipe.classes, sums, class_weight).tolist()


def _has_texts(x: np.ndarray) -> bool:
    return has_texts(np.asarray(x, dtype=object))


Possible = list[list[Any]]  # of each column: sets of storages of its parts, if it has objects


def _possible(shape: Shape, reading: Reading, x: Any) -> Possible:
    if shape.as_array == "objects":
        x = np.asarray(x, dtype=object)
    used = set(reading.positions) if shape.as_array != "numbers" else ()
    objects = [objects_of(x, k) if k in used else None for k in range(shape.count)]
    return [[] if values is None else [storages_of(values)] for values in objects]


def _possible_in_all(parts: list[Possible]) -> Possible:
    return [_distinct([each for part in column for each in part]) for column in zip(*parts, strict=True)]


def _distinct(each: list[Any]) -> list[Any]:
    return [one for k, one in enumerate(each) if one not in each[:k]]


def _storages(possible: Possible) -> list[Storage | None]:
    return [common_storage(column) if column else None for column in possible]


def _seen(shape: Shape, reading: Reading, x: Any) -> _core.Seen:
    return reading.reader(threads=1).see(shape.rows(reading, x))


def _seen_in_all(shown: list[str], parts: list[_core.Seen]) -> _core.Seen:
    return _core.Seen.sum(parts, shown)


def _whole_numbers(recipe: Recipe, x: Any, rows: int) -> dict[int, np.ndarray]:
    X = recipe.matrix(x)[:rows]
    columns = {column.position: X[:, k] for k, column in enumerate(recipe.columns) if column.kind == "number"}
    return {
        k: values.copy() for k, values in columns.items() if (np.isnan(values) | (values == np.floor(values))).all()
    }


def _joined(parts: list[dict[int, np.ndarray]]) -> dict[int, np.ndarray]:
    """Of columns that all parts have."""
    everywhere = set(parts[0]).intersection(*parts[1:])
    return {k: np.concatenate([part[k] for part in parts]) for k in everywhere}


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
