"""Progress of a benchmark: the current cell, its outcome and an estimate of the remaining time."""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from statistics import mean


def duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


class Progress:
    """Cells are (set, method). Time estimates use cells of the same method, then of the same set, then `limit`."""

    def __init__(self, cells: list[tuple[str, str]], limit: float) -> None:
        self._left = list(cells)
        self._total = len(cells)
        self._limit = limit
        self._seen: dict[str, list[float]] = defaultdict(list)
        self._started = 0.0

    def _estimate(self, cell: tuple[str, str]) -> float:
        similar = self._seen.get(cell[1]) or self._seen.get(cell[0])
        return mean(similar) if similar else self._limit

    def left(self) -> float:
        return sum(self._estimate(cell) for cell in self._left)

    def start(self, cell: tuple[str, str], note: str = "") -> None:
        number = self._total - len(self._left) + 1
        self._started = time.monotonic()
        text = f"[{number}/{self._total}, about {duration(self.left())} left] {cell[0]} {cell[1]}"
        print(f"{text}{' ' + note if note else ''} ... ", end="", file=sys.stderr, flush=True)

    def end(self, cell: tuple[str, str], outcome: str) -> None:
        for name in cell:
            self._seen[name].append(time.monotonic() - self._started)
        self._left.remove(cell)
        print(outcome, file=sys.stderr, flush=True)
