"""The part of the estimator that knows the columns of X: which it was fitted with, and how to find them again."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from . import _core, _labels, _options, _sparse, _table
from ._choices import Choices
from ._frame import frame_of, frame_of_numbers
from ._table import Column
from ._warnings import warn

FLOATS = {"dtype": np.float64, "order": "C", "ensure_all_finite": "allow-nan"}


class ColumnsOfX:
    model_: _core.Model
    columns_: list[Column]
    n_features_in_: int
    threads: int | None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        return tags

    def _learn_columns(self, X: Any, y: Any) -> tuple[np.ndarray | _core.SparseTable, np.ndarray]:
        """The table for the core, and y as an array. Numbers that are already in order are not copied."""
        _labels.refuse_missing(y)
        choices = self._choices()
        if _sparse.is_sparse(X):
            if not choices.are_defaults():
                return self._learn_columns(check_array(X, accept_sparse=True, **FLOATS).toarray(), y)
            X, y = validate_data(self, X, y, accept_sparse="csr", ensure_min_samples=2, **FLOATS)
            self.columns_ = _table.number_columns(None, self.n_features_in_)
            return _sparse.table_of(X), y
        frame = frame_of(X)
        if frame is None and not choices.are_defaults():
            frame = frame_of_numbers(check_array(X, **FLOATS))
        if frame is None:
            X, y = validate_data(self, X, y, ensure_min_samples=2, **FLOATS)
            self.columns_ = _table.number_columns(self._names_in(), self.n_features_in_)
            return X, y
        table = _table.learn(frame, choices, _options.threads(self.threads))
        X, y = validate_data(self, table.X, y, ensure_min_samples=2, **FLOATS)
        self.columns_ = table.columns
        self._set_names_in(frame.names, frame.count)
        for text in table.warnings:
            warn(text)
        return X, y

    def _read_columns(self, X: Any) -> np.ndarray | _core.SparseTable:
        """The table for the core, from rows to predict: sparse if X and the table of the model are."""
        check_is_fitted(self)
        if _sparse.is_sparse(X):
            X = validate_data(self, X, reset=False, accept_sparse="csr", **FLOATS)
            return _sparse.table_of(X) if self.model_.sparse else self._read_columns(X.toarray())
        frame = frame_of(X)
        if frame is None:
            X = validate_data(self, X, reset=False, **FLOATS)
            if len(self.columns_) == self.n_features_in_ and not self._kinds_for_core():
                return X
            frame = frame_of_numbers(X)
        elif bool(frame.names) != bool(self._names_in()):
            had = "with" if self._names_in() else "without"
            warn(f"X {'has' if frame.names else 'has no'} column names, but the model was fitted {had} them")
        fitted = self.columns_, self._names_in(), self.n_features_in_, self.model_.label
        table = _table.read(frame, *fitted, self._choices().order_of_dates(), _options.threads(self.threads))
        for text in table.warnings:
            warn(text)
        return check_array(table.X, **FLOATS)

    def _kinds_for_core(self) -> list[tuple[str, list[str]]]:
        if all(column.kind == "number" for column in self.columns_):
            return []
        return _table.kinds_of(self.columns_)

    def _choices(self) -> Choices:
        return Choices(*(getattr(self, name) for name in Choices._fields))

    def _columns_for_file(self) -> dict[str, Any]:
        """What the model does not know: columns of X that it does not use."""
        return {
            "count": self.n_features_in_,
            "names": self._names_in(),
            "used": [column.position for column in self.columns_],
        }

    def _restore_columns(self, entry: dict[str, Any] | None) -> None:
        """From the model and the entry of its file, if Python wrote it."""
        model = self.model_
        if entry is None:
            entry = {"count": model.features, "names": model.feature_names or None, "used": [*range(model.features)]}
        count, names, used = entry["count"], entry["names"], entry["used"]
        if not all(type(each) is int for each in (count, *used)) or sorted(set(used)) != used:
            raise ValueError(f"columns {used!r} of {count!r}")
        if len(used) != model.features or used[0] < 0 or used[-1] >= count:
            raise ValueError(f"expected {model.features} of {count} columns")
        if names is not None and (len(names) != count or not all(isinstance(name, str) for name in names)):
            raise ValueError(f"expected {count} names of columns")
        if model.feature_names != ([names[k] for k in used] if names else []):
            raise ValueError("the names of the columns differ from the model's")
        self._set_names_in(names, count)
        kinds = model.columns or [("number", [])] * model.features
        self.columns_ = [
            Column(_table.name_of(names, k), kind, tuple(levels), k)
            for k, (kind, levels) in zip(used, kinds, strict=True)
        ]

    def _names_in(self) -> list[str] | None:
        names = getattr(self, "feature_names_in_", None)
        return None if names is None else names.tolist()

    def _set_names_in(self, names: list[str] | None, count: int) -> None:
        self.n_features_in_ = count
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
