"""A fit over the workers of a cluster, which goes on when some of them die.

Its state is in a checkpoint in the driver. When a worker is gone, its partitions are computed again elsewhere, and
the fit resumes from there. The rows are ordered by their contents, so the result has the same bytes.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from .. import _core
from ._cluster import LOOK, Cluster, ShardLost, WorkerLost
from ._parts import Source
from ._recipe import Recipe
from ._shards import Shards

SECONDS_BETWEEN = 2.0  # checkpoints of iterations; the ends of stages are always written
MOST_LOSSES = 5  # one after the other, without a checkpoint in between

logger = logging.getLogger("induce.dask")
Fitted = tuple[_core.Model, dict[str, Any], BaseException | None]


def fit_on(
    cluster: Cluster,
    source: Source,
    recipe: Recipe,
    options: _core.Options,
    threads: int | None,
    names: dict[str, Any],
    on_iteration: Any,
) -> Fitted:
    """`threads`: of a shard; None: those of its worker."""
    with tempfile.TemporaryDirectory(prefix="induce-") as folder:
        state = State(options, Path(folder) / "fit.state")
        while True:
            try:
                shards = Shards(cluster, source.parts(), recipe, threads)
                source.release()  # the shards have the rows now
                fitted = _core.fit_shards(shards.ask, len(shards), options, on_iteration=on_iteration, **names)
                if not isinstance(fitted[2], ShardLost):
                    return fitted
                lost = str(fitted[2])
            except ShardLost as error:  # only its text: its traceback would keep the old shards
                lost = str(error)
            except _core.Error as error:
                if state.losses and "other data" in str(error):
                    raise WorkerLost("a worker is gone, and its partitions have other rows now") from error
                raise
            shards = fitted = None
            source.release()
            state.after(lost)
            logger.warning("a worker with rows of the fit is gone (%s): the fit continues without it", lost)
            time.sleep(LOOK / 2)  # until the scheduler knows
            cluster.check()


class State:
    """The checkpoint of the fit."""

    def __init__(self, options: _core.Options, path: Path):
        self.losses = 0
        self._options = options
        if not options.checkpoint:
            options.checkpoint = os.fspath(path)
            options.checkpoint_every = SECONDS_BETWEEN
        self._path = options.checkpoint
        self._found = self._written()
        self._last = self._found

    def after(self, lost: str) -> None:
        """Resume from the last checkpoint, if there is one."""
        written = self._written()
        self.losses = 1 if written != self._last else self.losses + 1
        if self.losses > MOST_LOSSES:
            raise WorkerLost(f"{self.losses} times a worker was gone before the fit got further: {lost}")
        self._last = written
        if written != self._found:
            self._options.resume = self._path

    def _written(self) -> int:
        return os.stat(self._path).st_mtime_ns if os.path.exists(self._path) else 0
