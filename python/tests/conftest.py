"""Tables shared by several tests."""

import numpy as np
import pytest
from chromium import COMMAND, Chromium


def crescents(rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, rows)
    angle = random.uniform(0, np.pi, rows)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    X[y == 1] = [1.0, 0.35] - X[y == 1]
    return X + random.normal(scale=0.25, size=X.shape), y


@pytest.fixture(scope="session")
def banana():
    """A small table that fits in milliseconds."""
    return crescents(300)


@pytest.fixture(scope="session")
def large():
    """A table whose fit takes seconds, long enough to observe and stop."""
    random = np.random.default_rng(0)
    X = random.normal(size=(20_000, 10))
    y = (np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + random.normal(size=len(X)) > 0).astype(int)
    return X, y


@pytest.fixture(scope="module")
def browser():
    if COMMAND is None:
        pytest.skip("no Chromium: pages are not opened (Debian package chromium)")
    chromium = Chromium()
    yield chromium
    chromium.close()
