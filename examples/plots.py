"""Generates the figures of docs/python.md from synthetic data and tables of scikit-learn.

python examples/plots.py [FOLDER]      default: docs/pictures
"""

import sys
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.model_selection import train_test_split

from induce import GPClassifier, plot


def banana(rows: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Two interlocking crescents with enough noise to overlap."""
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, rows)
    angle = random.uniform(0, np.pi, rows)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    X[y == 1] = [1.0, 0.35] - X[y == 1]
    return X + random.normal(scale=0.3, size=X.shape), np.where(y == 1, "inner", "outer")


def save(ax, folder: Path, name: str) -> None:
    ax = np.ravel(ax)[0]
    ax.figure.savefig(folder / f"{name}.png", dpi=110)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    X, y = banana(600)
    classifier = GPClassifier(inducing=20).fit(X, y)  # few, so that they are visible
    save(plot.decision_surface(classifier, X, y), folder, "decision_surface")
    X_test, y_test = banana(4000, seed=2)
    save(plot.calibration_curve(classifier, X_test, y_test), folder, "calibration_curve")

    table = load_breast_cancer(as_frame=True)
    diagnosis = table.target.map(dict(enumerate(table.target_names)))
    X_train, X_test, y_train, y_test = train_test_split(table.data, diagnosis, random_state=0)
    classifier = GPClassifier().fit(X_train, y_train)
    print(f"breast cancer: accuracy {classifier.score(X_test, y_test):.3f} on {len(X_test)} held-out rows")
    save(plot.importance(classifier, top=12), folder, "importance")
    save(plot.effects(classifier), folder, "effects")
    save(plot.training_curve(classifier), folder, "training_curve")

    wine = load_wine(as_frame=True)
    cultivar = wine.target.map(dict(enumerate(["first", "second", "third"])))
    save(plot.effects(GPClassifier().fit(wine.data, cultivar), top=3), folder, "effects_classes")

    X, y = load_digits(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some pixels are constant
        classifier = GPClassifier(kernel="se", warp="none").fit(X_train, y_train)  # nothing to choose: faster
    print(f"digits: accuracy {classifier.score(X_test, y_test):.3f} on {len(X_test)} held-out rows")
    save(plot.confusion(classifier, X_test, y_test), folder, "confusion")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "docs" / "pictures")
