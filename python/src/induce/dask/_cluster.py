"""What is asked of a cluster: which workers it has, and to wait without ever waiting for one that is gone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import distributed
from distributed import Client, Future

from .. import _core

PATIENCE = 12.0  # seconds without any worker, or without an answer of the scheduler, before a fit ends
LOOK = 1.0  # seconds between two looks at the workers
TIMEOUTS = (TimeoutError, asyncio.TimeoutError)  # the same one from Python 3.11 on
GATHERED = 16  # results that one task adds up


class WorkerLost(RuntimeError):  # noqa: N818
    """Workers are gone, and what they had cannot be computed again."""


class ShardLost(Exception):  # noqa: N818
    """A worker with rows of a fit is gone. The fit can continue on others."""


class Cluster:
    """The workers that a fit may use."""

    def __init__(self, client: Client, workers: str | Sequence[str] | None = None, most: int | None = None):
        if client.asynchronous:
            raise _core.Error("client is asynchronous: a fit needs one with asynchronous=False")
        if most is not None and (isinstance(most, bool) or not isinstance(most, int) or most < 1):
            raise _core.Error(f"n_workers = {most!r}: must be None or an integer of at least 1")
        self.client = client
        self._workers = [workers] if isinstance(workers, str) else None if workers is None else list(workers)
        self._most = most
        self._known: dict[str, int] = {}
        self._heard = time.monotonic()

    @property
    def is_restricted(self) -> bool:
        return self._workers is not None or self._most is not None

    def threads(self) -> dict[str, int]:
        """Of each worker that may be used and is alive, by its address. Waits a moment for the first one."""
        gone = time.monotonic() + PATIENCE
        while not (alive := self._allowed(self.alive())):
            if time.monotonic() > gone:
                raise WorkerLost(f"no workers{self._of_these()} for {PATIENCE:.0f} s")
            time.sleep(LOOK / 4)
        return alive

    def check(self) -> None:
        if self.client.status not in ("running", "connecting"):
            raise WorkerLost(f"the client is {self.client.status}: the scheduler is gone")

    def alive(self) -> dict[str, int]:
        """Threads of all workers. Those last known if the scheduler does not answer, but not for long."""
        try:
            self._known = self.client.sync(self.client.scheduler.ncores, callback_timeout=PATIENCE / 3)
            self._heard = time.monotonic()
        except (OSError, RuntimeError, *TIMEOUTS):
            if time.monotonic() > self._heard + PATIENCE / 2:
                self._known = {}
        return self._known

    def result(self, future: Future, where: str | None = None) -> Any:
        """Of a task; `where`: the only worker that can run it, whose end is a ShardLost."""
        while True:
            self.wait([future], where)
            try:
                return future.result(timeout=LOOK)
            except TIMEOUTS:  # its worker has gone since
                continue
            except distributed.CancelledError:
                raise WorkerLost(f"the result of {future.key} is gone, and cannot be computed again") from None

    def wait(self, futures: Iterable[Future], where: str | None = None) -> None:
        left = list(futures)
        seen = time.monotonic()
        while True:
            left = [future for future in left if not _is_finished(future)]
            if not left:
                return
            with suppress(*TIMEOUTS, distributed.CancelledError):
                distributed.wait(left, timeout=LOOK, return_when="FIRST_COMPLETED")
            alive = self.alive()
            if where is not None and where not in alive:
                raise ShardLost(f"the worker {where} is gone")
            if self._allowed(alive):
                seen = time.monotonic()
            elif time.monotonic() > seen + PATIENCE:
                raise WorkerLost(f"no workers{self._of_these()} for {PATIENCE:.0f} s: tasks cannot be computed")

    def sum(self, futures: list[Future], add: Callable[[list[Any]], Any]) -> Any:
        """Of the results of tasks, in their order, by tasks."""
        while True:
            groups = [futures[k : k + GATHERED] for k in range(0, len(futures), GATHERED)]
            futures = [self.client.submit(add, group, pure=False) for group in groups]
            if len(futures) == 1:
                return self.result(futures[0])

    def _allowed(self, alive: dict[str, int]) -> dict[str, int]:
        chosen = {
            worker: threads
            for worker, threads in sorted(alive.items())
            if self._workers is None or worker in self._workers or _host(worker) in self._workers
        }
        return dict(list(chosen.items())[: self._most])

    def _of_these(self) -> str:
        return "" if self._workers is None else f" of {', '.join(self._workers)}"


def _host(address: str) -> str:
    return address.split("://")[-1].rsplit(":", 1)[0]


def _is_finished(future: Future) -> bool:
    """False while it is pending; its error is raised."""
    if future.status == "error":
        error = future.exception(timeout=PATIENCE)
        if isinstance(error, distributed.scheduler.KilledWorker):
            raise WorkerLost(f"workers die while they compute {future.key}: {error}") from error
        raise error
    if future.status in ("lost", "cancelled"):
        raise WorkerLost(f"the result of {future.key} is gone, and cannot be computed again")
    return future.status == "finished"
