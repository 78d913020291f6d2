"""The input of every peer: the same standardised rows and the same initial inducing inputs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Problem:
    X: Array  # (n, d), each feature with mean 0 and variance 1 over these rows
    y: NDArray[np.int64]  # (n), 0 to C - 1
    X_test: Array
    y_test: NDArray[np.int64]
    Z: Array  # (m, d), k-means centres of X

    @property
    def n(self) -> int:
        return self.X.shape[0]

    @property
    def d(self) -> int:
        return self.X.shape[1]

    @property
    def m(self) -> int:
        return self.Z.shape[0]

    @property
    def classes(self) -> int:
        return int(self.y.max()) + 1

    @property
    def start(self) -> Array:
        """Initial length-scales: sqrt(d), the typical distance between standardised rows, as in induce."""
        return np.full(self.d, np.sqrt(self.d))

    def save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, X=self.X, y=self.y, X_test=self.X_test, y_test=self.y_test, Z=self.Z)

    @classmethod
    def load(cls, path: Path) -> Problem:
        with np.load(path) as found:
            return cls(**{name: found[name] for name in ("X", "y", "X_test", "y_test", "Z")})
