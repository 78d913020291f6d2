"""A clock that can be stopped, so that testing costs a run nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Clock:
    def __init__(self) -> None:
        self._before = 0.0
        self._since: float | None = None

    @property
    def seconds(self) -> float:
        running = 0.0 if self._since is None else time.perf_counter() - self._since
        return self._before + running

    @property
    def running(self) -> bool:
        return self._since is not None

    def start(self) -> None:
        if self._since is None:
            self._since = time.perf_counter()

    def stop(self) -> None:
        self._before, self._since = self.seconds, None

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Time spent inside does not count."""
        was_running = self.running
        self.stop()
        try:
            yield
        finally:
            if was_running:
                self.start()
