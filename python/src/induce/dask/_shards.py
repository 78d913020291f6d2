"""Shards of a fit: actors on the workers that have its partitions."""

from __future__ import annotations

from typing import Any

from distributed import Actor, Future
from distributed.actor import BaseActorFuture

from .. import _core
from ._cluster import LOOK, TIMEOUTS, Cluster, ShardLost, WorkerLost
from ._parts import Parts
from ._recipe import Recipe

CROWDED = 1.5  # times the rows of a mean share


class ShardActor:
    """On a worker: the rows of its partitions."""

    def __init__(self, threads: int, recipe: Recipe, parts: list[tuple[Any, Any, Any]], numbers: list[int]):
        self._shard = _core.Shard(threads)
        for part, number in zip(parts, numbers, strict=True):
            self._shard.add_rows(*recipe.read(*part), piece=number)

    def answer(self, request: bytes) -> bytes:
        return self._shard.answer(request)


class Shards:
    """In the driver: one actor on each worker that has partitions."""

    def __init__(self, cluster: Cluster, parts: Parts, recipe: Recipe, threads: int | None):
        self._cluster = cluster
        shares = _shares(cluster, parts)
        cores = cluster.threads()
        self._workers = list(shares)
        self._futures: list[Future] = []
        for worker in self._workers:
            share = [tuple(parts.parts[k]) for k in shares[worker]]
            self._futures.append(
                cluster.client.submit(
                    ShardActor,
                    threads or cores.get(worker, 1),
                    recipe,
                    share,
                    list(shares[worker]),
                    actor=True,
                    workers=[worker],
                    allow_other_workers=False,
                    pure=False,
                )
            )
        self._actors: list[Actor] = [
            self._actor(future, worker) for future, worker in zip(self._futures, self._workers, strict=True)
        ]

    def __len__(self) -> int:
        return len(self._workers)

    def _actor(self, future: Future, worker: str) -> Actor:
        try:
            return self._cluster.result(future, worker)
        except RuntimeError as error:  # Dask's word for an actor whose worker has ended since it was made
            if isinstance(error, WorkerLost) or worker in self._cluster.alive():
                raise
            raise ShardLost(str(error)) from error

    def ask(self, requests: list[bytes]) -> list[bytes]:
        """One request for each shard, to all at once; their answers."""
        try:
            waiting = [actor.answer(request) for actor, request in zip(self._actors, requests, strict=True)]
            return [self._answer(future) for future in waiting]
        except (OSError, RuntimeError) as error:  # Dask's words for an actor that is gone
            raise ShardLost(str(error)) from error

    def _answer(self, future: BaseActorFuture[bytes]) -> bytes:
        while True:
            try:
                return future.result(timeout=LOOK)
            except TIMEOUTS:
                self._look()

    def _look(self) -> None:
        """Some errors of Dask leave an answer pending for ever."""
        alive = self._cluster.alive()
        for worker, future in zip(self._workers, self._futures, strict=True):
            if worker not in alive or future.status != "finished":
                raise ShardLost(f"the worker {worker} is gone")


def _shares(cluster: Cluster, parts: Parts) -> dict[str, list[int]]:
    """The partitions for each worker: those that it has, unless that are far more than its share."""
    usable = list(cluster.threads())
    where = cluster.client.who_has([part.x for part in parts.parts])
    most = CROWDED * sum(parts.rows) / min(len(usable), len(parts.rows))
    rows = dict.fromkeys(usable, 0)
    shares: dict[str, list[int]] = {}
    for k, part in enumerate(parts.parts):
        here = [each for each in where.get(part.x.key, ()) if each in rows and rows[each] + parts.rows[k] <= most]
        worker = min(here or usable, key=lambda each: rows[each])
        rows[worker] += parts.rows[k]
        shares.setdefault(worker, []).append(k)
    return shares
