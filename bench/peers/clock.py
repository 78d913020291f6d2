"""A clock that can be stopped, so that tests do not count as training time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Clock:
    def __init__(self) -> None:
        self._before = (0.0, 0.0)  # seconds, and CPU seconds of all threads
        self._since: tuple[float, float] | None = None

    def _read(self) -> tuple[float, float]:
        if self._since is None:
            return self._before
        return (
            self._before[0] + time.perf_counter() - self._since[0],
            self._before[1] + time.process_time() - self._since[1],
        )

    @property
    def seconds(self) -> float:
        return self._read()[0]

    @property
    def cpu_seconds(self) -> float:
        """Less affected by other processes than `seconds`."""
        return self._read()[1]

    @property
    def running(self) -> bool:
        return self._since is not None

    def start(self) -> None:
        if self._since is None:
            self._since = (time.perf_counter(), time.process_time())

    def stop(self) -> None:
        self._before, self._since = self._read(), None

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
