"""Active learning: which rows should a person label next? Labels against NLL, chosen by gain and at random.

python examples/active_learning.py [PICTURE]      prints three tables; with PICTURE, also draws them
"""

import sys
import warnings
from collections.abc import Callable

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import log_loss

from induce import GPClassifier

FIRST, STEP, ROUNDS, STARTS = 20, 20, 6, 4
Rows = tuple[np.ndarray, np.ndarray]


def crescents(random: np.random.Generator, rows: int = 3000) -> Rows:
    """Two crescents that nearly touch."""
    y, angle = random.integers(0, 2, rows), random.uniform(0, np.pi, rows)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    X[y == 1] = [1.0, 0.35] - X[y == 1]
    return X + random.normal(scale=0.15, size=X.shape), y


def wave(random: np.random.Generator, rows: int = 3000) -> Rows:
    """A wavy border, and one label in fifty is wrong."""
    X = random.uniform(-2, 2, (rows, 2))
    return X, ((X[:, 1] > np.sin(2.5 * X[:, 0])) ^ (random.random(rows) < 0.02)).astype(int)


def cancer(random: np.random.Generator) -> Rows:
    """569 rows with 30 features."""
    X, y = load_breast_cancer(return_X_y=True)
    order = random.permutation(len(y))
    return X[order], y[order]


def nll_by_labels(rows: Callable[..., Rows], by_gain: bool, start: int) -> list[float]:
    random = np.random.default_rng(start)
    X, y = rows(random)
    pool = len(y) * 2 // 3  # the others are test rows
    chosen, found = list(range(FIRST)), []
    for _ in range(ROUNDS):
        # Few rows: there is nothing to choose a kernel by.
        classifier = GPClassifier(kernel="se", warp="none").fit(X[chosen], y[chosen])
        found.append(log_loss(y[pool:], classifier.predict_proba(X[pool:])))
        rest = np.setdiff1d(np.arange(pool), chosen)
        best = classifier.rank_rows(X[rest], STEP, random_state=start) if by_gain else np.arange(STEP)
        chosen += list(rest[best])
    return found


def draw(curves: dict[str, dict[str, np.ndarray]], labels: range, path: str) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3), layout="constrained")
    for axes, (name, rules) in zip(figure.subplots(1, len(curves)), curves.items(), strict=True):
        for rule, nll in rules.items():
            axes.plot(labels, nll, marker="o", label=rule)
        axes.set(title=name, xlabel="labels", ylabel="NLL of test rows", ylim=0)
        axes.legend()
    figure.savefig(path, dpi=110)


def main() -> None:
    warnings.simplefilter("ignore")  # about rows far outside the few that have labels
    labels = range(FIRST, FIRST + ROUNDS * STEP, STEP)
    print(f"NLL of test rows, mean of {STARTS} starts; labels:", *labels)
    curves: dict[str, dict[str, np.ndarray]] = {}
    for rows in (crescents, wave, cancer):
        of_table = curves.setdefault(rows.__name__, {})
        for rule in ("at random", "by gain"):
            starts = [nll_by_labels(rows, rule == "by gain", start) for start in range(STARTS)]
            of_table[rule] = np.mean(starts, axis=0)
            print(f"  {rows.__name__:10} {rule:10}", " ".join(f"{value:.2f}" for value in of_table[rule]))
    if len(sys.argv) > 1:
        draw(curves, labels, sys.argv[1])


if __name__ == "__main__":
    main()
