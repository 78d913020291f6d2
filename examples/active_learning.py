"""Active learning: which rows should a person label next? Those of which the model expects to learn most.

The mean and the variance of the latent function tell two kinds of doubt apart: rows between the classes, where more
labels do not help, and rows that the model knows little about. The rule (BALD) takes the second kind: the entropy of
the probability minus the entropy that would be left if the latent function were known. It is no better than chance
where the first labels suggest a function of the wrong shape: the second table.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from induce import GPClassifier

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(20)


def crescents(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two crescents that nearly touch."""
    random = np.random.default_rng(seed)
    y, angle = random.integers(0, 2, rows), random.uniform(0, np.pi, rows)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    X[y == 1] = [1.0, 0.35] - X[y == 1]
    return X + random.normal(scale=0.15, size=X.shape), y


def wave(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A wavy border, and one label in fifty is wrong."""
    random = np.random.default_rng(seed)
    X = random.uniform(-2, 2, (rows, 2))
    return X, (X[:, 1] > np.sin(2.5 * X[:, 0])) ^ (random.random(rows) < 0.02)


def entropy(p: np.ndarray) -> np.ndarray:
    p = np.clip(p, 1e-12, 1 - 1e-12)
    return -p * np.log(p) - (1 - p) * np.log(1 - p)


def expected_gain(classifier: GPClassifier, X: np.ndarray) -> np.ndarray:
    mean, variance = classifier.predict_latent(X)
    f = mean[:, None] + np.sqrt(variance)[:, None] * NODES
    p = 1 / (1 + np.exp(-f))
    weights = WEIGHTS / WEIGHTS.sum()
    return entropy(p @ weights) - entropy(p) @ weights


def accuracies(rows: Callable[..., Any], rule: str, seed: int, rounds: int = 6, step: int = 5) -> list[float]:
    random = np.random.default_rng(seed)
    X, y = rows(2000, seed)
    X_test, y_test = rows(2000, seed + 100)
    chosen = list(random.permutation(len(X))[:20])
    found = []
    for _ in range(rounds):
        classifier = GPClassifier(kernel="se", warp="none").fit(
            X[chosen], y[chosen]
        )  # few rows: nothing to choose by
        found.append(classifier.score(X_test, y_test))
        gain = expected_gain(classifier, X) if rule == "by gain" else random.random(len(X))
        gain[chosen] = -1
        chosen += list(np.argsort(-gain)[:step])
    return found


def main() -> None:
    print("accuracy with 20, 25, 30, 35, 40 and 45 labels, mean of four pools")
    for rows in (crescents, wave):
        for rule in ("at random", "by gain"):
            mean = np.mean([accuracies(rows, rule, seed) for seed in range(4)], axis=0)
            print(f"  {rows.__name__:10} {rule:10}", " ".join(f"{value:.2f}" for value in mean))


if __name__ == "__main__":
    main()
