"""The course of one run: the clock, the budget, and periodic tests while the clock is stopped."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from bench.peers.clock import Clock
from bench.peers.metrics import compute_metrics
from bench.peers.problem import Array, Problem
from bench.support.lines import Record, significant

GROWTH = 1.1  # the interval between two tests is a tenth of the elapsed time
SHORTEST = 0.02  # shortest interval in seconds

Predict = Callable[[Array], Array]  # rows to probabilities of class 1, or of each class: (n), (n, 1) or (n, C)


class DivergedError(Exception):
    """A predicted probability is NaN or infinite."""


def shaped(p: Array) -> Array:
    """Probabilities of class 1 of two, (n), or of each of three or more, (n, C)."""
    if p.ndim == 2 and p.shape[1] > 2:
        return p
    return p[:, -1] if p.ndim == 2 else p.reshape(-1)


class Course:
    def __init__(self, problem: Problem, limit: float) -> None:
        self.clock = Clock()
        self.compile_seconds = 0.0
        self.curve: list[list[float]] = []  # seconds, nll, accuracy
        self.best: Record | None = None
        self.last: Record | None = None
        self._problem = problem
        self._limit = limit
        self._next = 0.0

    def over(self) -> bool:
        return self.clock.seconds >= self._limit

    def due(self, at: float | None = None) -> bool:
        """Whether the next test is due, now or at a time in the past. The first is due before the first step."""
        return (self.clock.seconds if at is None else at) >= self._next

    def compile(self, work: Callable[[], object]) -> None:
        """Tracing and compilation do not count as training time; they are recorded separately."""
        clock = Clock()
        with self.clock.stopped():
            clock.start()
            work()
            clock.stop()
        self.compile_seconds += clock.seconds

    def test(self, predict: Predict, at: float | None = None) -> None:
        """Tests the model of now, or, where a library can only do so after training, that of `at` seconds."""
        with self.clock.stopped():
            p = shaped(np.asarray(predict(self._problem.X_test), dtype=np.float64))
            seconds = self.clock.seconds if at is None else at
            if not np.isfinite(p).all():
                raise DivergedError(f"probabilities are not finite after {seconds:.2f} s")
            y = self._problem.y_test
            p = np.clip(p, 0.0, 1.0)  # float32 peers exceed 1 by rounding
            found: Record = {"seconds": significant(seconds), **compute_metrics(p, y)}
            self.last = found
            if self.best is None or found["nll"] < self.best["nll"]:
                self.best = found
            self.curve.append([significant(found[name]) for name in ("seconds", "nll", "accuracy")])
            self._next = max(seconds * GROWTH, seconds + SHORTEST)
            if sys.stderr.isatty():
                print(f"\r{seconds:8.1f} s  nll {found['nll']:.4f} ", end="", file=sys.stderr, flush=True)


def in_blocks(predict: Predict, rows: int = 10_000) -> Predict:
    """Predicts in blocks, so that a test set of 270,000 rows does not determine peak memory."""
    return lambda X: np.concatenate([np.asarray(predict(X[i : i + rows])) for i in range(0, len(X), rows)])
