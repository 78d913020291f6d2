"""A fit over the workers of a cluster, which goes on when some of them die.

Its state is in a checkpoint in the driver. When a worker is gone, its partitions are computed again elsewhere, and
the fit resumes from there. The rows are ordered by their contents, so the result has the same bytes.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import _core
from ._cluster import LOOK, Cluster, ShardLost, WorkerLost
from ._parts import Parts
from ._recipe import Recipe
from ._shards import Shards

LEAST_SECONDS = 2.0  # between two checkpoints
ROWS_PER_SECOND = 1_000_000  # a checkpoint has numbers of every row
MOST_LOSSES = 5  # one after the other, without a checkpoint in between

Fitted = tuple[_core.Model, dict[str, Any], BaseException | None]


def fit_on(
    cluster: Cluster,
    load: Callable[[], Parts],
    parts: Parts | None,
    recipe: Recipe,
    options: _core.Options,
    threads: int | None,
    names: dict[str, Any],
    on_iteration: Any,
) -> Fitted:
    """`parts`: the first ones; `load` finds them again. `threads`: of a shard; None: those of its worker."""
    with tempfile.TemporaryDirectory(prefix="induce-") as folder:
        state = State(options, Path(folder) / "fit.state", sum(parts.rows) if parts else 0)
        while True:
            try:
                shards = Shards(cluster, parts or load(), recipe, threads)
                parts = None  # the shards have the rows now
                fitted = _core.fit_shards(shards.ask, len(shards), options, on_iteration=on_iteration, **names)
                if not isinstance(fitted[2], ShardLost):
                    return fitted
                lost: Exception = fitted[2]
            except ShardLost as error:
                lost = error
            except _core.Error as error:
                if state.losses and "other data" in str(error):
                    raise WorkerLost(
                        "a worker is gone, and its partitions, computed again, have other rows"
                    ) from error
                raise
            shards, parts = None, None
            state.after(lost)
            time.sleep(LOOK / 2)  # until the scheduler knows


class State:
    """The checkpoint of the fit."""

    def __init__(self, options: _core.Options, path: Path, rows: int):
        self.losses = 0
        self._options = options
        if not options.checkpoint:
            options.checkpoint = os.fspath(path)
            options.checkpoint_every = max(LEAST_SECONDS, rows / ROWS_PER_SECOND)
        self._path = options.checkpoint
        self._found = self._written()
        self._last = self._found

    def after(self, lost: Exception) -> None:
        """Resume from the last checkpoint, if there is one."""
        written = self._written()
        self.losses = 1 if written != self._last else self.losses + 1
        if self.losses > MOST_LOSSES:
            raise WorkerLost(f"{self.losses} times a worker was gone before the fit got further: {lost}") from lost
        self._last = written
        if written != self._found:
            self._options.resume = self._path

    def _written(self) -> int:
        return os.stat(self._path).st_mtime_ns if os.path.exists(self._path) else 0
