"""Lazy predictions, partition by partition."""

from __future__ import annotations

from typing import Any

import dask
import dask.array as da
import numpy as np
from distributed import Future

from .. import GPClassifier as LocalClassifier
from .. import _weights
from ._cluster import Cluster
from ._parts import Parts, is_frame


def lazily(local: LocalClassifier, method: str, X: Any) -> Any:
    """What local.method gives for each partition of X. A DataFrame gives a Series or DataFrame with its index."""
    columns = None if method == "predict" else local.classes_
    dtype = local.classes_.dtype if columns is None else np.dtype(np.float64)
    shared = dask.delayed(local, pure=False)
    if is_frame(X):
        meta = _with_index(np.empty((0,) if columns is None else (0, len(columns)), dtype), X._meta, columns)
        return X.map_partitions(_frame_part, shared, method, columns, meta=meta, enforce_metadata=False)
    if X.numblocks[1] > 1:
        X = X.rechunk({1: -1})
    how = {"local": shared, "method": method, "dtype": dtype}
    if columns is None:
        return da.map_blocks(_part, X, **how, drop_axis=1, meta=np.empty(0, dtype))
    return da.map_blocks(_part, X, **how, chunks=(X.chunks[0], (len(columns),)), meta=np.empty((0, 0)))


def accuracy(cluster: Cluster, local: LocalClassifier, parts: Parts) -> float:
    shared = cluster.client.submit(_same, local, pure=False)
    each: list[Future] = [cluster.client.submit(_right, shared, *part, pure=False) for part in parts.parts]
    right, all_rows = cluster.sum(each, _added)
    return float(right / all_rows)


def _part(x: np.ndarray, local: LocalClassifier, method: str) -> np.ndarray:
    if x.shape[0]:
        return getattr(local, method)(x)
    return local.classes_[:0] if method == "predict" else np.empty((0, len(local.classes_)))


def _frame_part(x: Any, local: LocalClassifier, method: str, columns: np.ndarray | None) -> Any:
    return _with_index(_part(x, local, method), x, columns)


def _with_index(values: np.ndarray, x: Any, columns: np.ndarray | None) -> Any:
    import pandas as pd

    return pd.Series(values, x.index) if columns is None else pd.DataFrame(values, x.index, columns)


def _same(local: LocalClassifier) -> LocalClassifier:
    return local


def _right(local: LocalClassifier, x: Any, y: Any, weight: Any) -> np.ndarray:
    labels = np.asarray(y).reshape(-1)
    weights = np.ones(len(labels)) if weight is None else _weights.checked_part(weight, len(labels))
    known = np.isin(labels, local.classes_)
    right = np.zeros(len(labels), dtype=bool)
    right[known] = (local.predict(x) == labels)[known]
    return np.array([weights[right].sum(), weights.sum()])


def _added(parts: list[np.ndarray]) -> np.ndarray:
    return np.sum(parts, axis=0)
