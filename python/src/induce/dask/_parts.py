"""The partitions of X, y and sample_weight, as futures of the same rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import dask
import dask.array as da
import numpy as np
from distributed import Future
from scipy import sparse

from .. import _core
from ._cluster import Cluster


class Part(NamedTuple):
    """Rows. Members of what was not given are None."""

    x: Future
    y: Future | None
    weight: Future | None


class Parts(NamedTuple):
    parts: list[Part]  # without those that are empty
    rows: list[int]  # of each


def is_frame(X: Any) -> bool:
    return hasattr(X, "npartitions") and hasattr(X, "map_partitions") and hasattr(X, "columns")


def is_lazy(X: Any) -> bool:
    return dask.is_dask_collection(X)


def is_sparse(X: Any) -> bool:
    return sparse.issparse(getattr(X, "_meta", None))


def gathered(cluster: Cluster, collection: Any) -> Any:
    """All of a collection, in this process. None stays None."""
    if collection is None:
        return None
    futures = _futures(cluster, _in_one_column_of_blocks(collection), None)
    cluster.wait(futures)
    pieces = cluster.client.gather(futures)
    if is_sparse(collection):
        return sparse.vstack(pieces, format="csr")
    return np.concatenate([np.asarray(piece).reshape(-1) for piece in pieces])


def check_collections(X: Any, **others: Any) -> None:
    if not (is_frame(X) or isinstance(X, da.Array)) or not is_lazy(X):
        raise TypeError(
            f"X is a {type(X).__name__}: must be a dask array or DataFrame; induce.GPClassifier fits tables in memory"
        )
    if isinstance(X, da.Array) and X.ndim != 2:
        raise _core.Error(f"X has {X.ndim} dimensions: must have 2")
    for name, each in others.items():
        if each is not None and not is_lazy(each):
            raise TypeError(f"{name} is a {type(each).__name__}: must be a dask array or Series, as X is")


class Source:
    """What a fit was given. Its partitions are in the memory of the workers until they are released."""

    def __init__(self, cluster: Cluster, X: Any, y: Any, weight: Any):
        self._given = cluster, X, y, weight
        self._parts: Parts | None = None

    def parts(self) -> Parts:
        if self._parts is None:
            self._parts = _load(*self._given)
        return self._parts

    def release(self) -> None:
        self._parts = None


def _load(cluster: Cluster, X: Any, y: Any, weight: Any) -> Parts:
    """Compute the partitions where they are not yet, and match them."""
    given = {"X": _in_one_column_of_blocks(X), "y": y, "sample_weight": weight}
    given = {name: each for name, each in given.items() if each is not None}
    workers = list(cluster.threads()) if cluster.is_restricted else None
    futures = {}
    for arrays in (True, False):  # Dask computes collections of one kind together
        alike = {name: each for name, each in given.items() if isinstance(each, da.Array) == arrays}
        if not alike:
            continue
        computed = cluster.client.persist(list(alike.values()), workers=workers)
        futures |= {name: _futures(cluster, each, workers) for name, each in zip(alike, computed, strict=True)}
    lengths = _lengths(cluster, futures)
    rows = lengths["X"]
    for name in futures:
        if sum(lengths[name]) != sum(rows):
            raise _core.Error(f"{name} has {sum(lengths[name])} rows: must have {sum(rows)}, as X has")
        if lengths[name] != rows:
            futures[name] = _cut(cluster, futures[name], lengths[name], rows)
    nothing = [None] * len(rows)
    parts = zip(futures["X"], futures.get("y", nothing), futures.get("sample_weight", nothing), rows, strict=True)
    kept = [(Part(*three), count) for *three, count in parts if count]
    return Parts([part for part, _ in kept], [count for _, count in kept])


def _in_one_column_of_blocks(X: Any) -> Any:
    return X.rechunk({1: -1}) if isinstance(X, da.Array) and X.ndim == 2 and X.numblocks[1] > 1 else X


def _futures(cluster: Cluster, collection: Any, workers: list[str] | None) -> list[Future]:
    return cluster.client.compute(np.ravel(collection.to_delayed()).tolist(), workers=workers)


def _lengths(cluster: Cluster, futures: dict[str, list[Future]]) -> dict[str, list[int]]:
    every = [future for parts in futures.values() for future in parts]
    lengths = iter(cluster.sum([cluster.client.submit(_length, part, pure=False) for part in every], _joined))
    return {name: [next(lengths) for _ in parts] for name, parts in futures.items()}


def _length(part: Any) -> list[int]:
    return [len(part)]


def _joined(lists: list[list[int]]) -> list[int]:
    return [length for each in lists for length in each]


def _cut(cluster: Cluster, futures: list[Future], have: list[int], want: list[int]) -> list[Future]:
    """The same rows in parts of other lengths."""
    begin = np.concatenate([[0], np.cumsum(have)])
    end = 0
    cut = []
    for rows in want:
        first, end = end, end + rows
        pieces = [
            (future, max(first - start, 0), min(end, stop) - start)
            for future, start, stop in zip(futures, begin[:-1].tolist(), begin[1:].tolist(), strict=True)
            if start < end and stop > first
        ]
        cut.append(cluster.client.submit(_taken, pieces, pure=False))
    return cut


def _taken(pieces: list[tuple[Any, int, int]]) -> np.ndarray | None:
    """None for no rows at all, which nobody looks at."""
    return np.concatenate([np.asarray(part)[first:end] for part, first, end in pieces]) if pieces else None
