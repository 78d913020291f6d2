"""Many classes: six sorts of seeds that overlap, made up. Nothing has to be set; the likelihood is the softmax."""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, log_loss
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from induce import GPClassifier

SORTS = np.array(["barley", "flax", "millet", "oats", "rye", "wheat"])


def seeds(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    sort = random.integers(0, 6, rows)
    turn = random.normal(0, 0.7, rows) + sort  # a spiral: no straight line parts the sorts
    X = np.column_stack([turn * np.cos(turn), turn * np.sin(turn), random.normal(sort % 2, 1.0)])
    return X + random.normal(0, 0.25, X.shape), SORTS[sort]


def main() -> None:
    X, y = seeds(300, seed=0)
    X_test, y_test = seeds(2000, seed=1)
    classifier = GPClassifier().fit(X, y)
    linear = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    for name, model in {"induce": classifier, "logistic regression": linear}.items():
        p = model.predict_proba(X_test)
        print(f"{name:20} accuracy {model.score(X_test, y_test):.3f}, log loss {log_loss(y_test, p):.3f}")

    counts = confusion_matrix(y_test, classifier.predict(X_test))
    np.fill_diagonal(counts, 0)
    true, predicted = np.unravel_index(counts.argmax(), counts.shape)
    print(
        f"confused most: {SORTS[true]} taken for {SORTS[predicted]}, {counts.max()} of {sum(y_test == SORTS[true])}"
    )
    p = classifier.predict_proba(X_test).max(axis=1)
    for low, high in [(0.0, 0.6), (0.6, 0.8), (0.8, 1.0)]:
        rows = (p > low) & (p <= high)
        right = np.mean(classifier.predict(X_test[rows]) == y_test[rows])
        print(f"rows with a probability of {low} to {high}: said {p[rows].mean():.2f}, right {right:.2f}")


if __name__ == "__main__":
    main()
