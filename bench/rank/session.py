"""How many labels chosen by rank_rows reach the NLL of 500 random ones; and what ranking a large pool costs.

    bench/rank/run               all; resumes where it stopped
    bench/rank/run magic pool    a table, and the costs of ranking a pool of 100,000 rows
    bench/results/pages          writes what follows from docs/records/rank.jsonl into the pages

Each start begins with 50 random labels, and 25 rows are labelled after each fit, a tenth of them random. Adds a JSON
line per table and start to --out: the NLL of test rows with 300 and 500 random labels, and with 50, 75, ..., 300
ranked ones. Each fit uses one thread. svmguide1 and magic have their own test rows; of the others a third are.
"""

from __future__ import annotations

import io
import lzma
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits, load_svmlight_files

from bench.rank.figures import FIRST, LAST, POOL, POOLS, RANDOM, RECORD, STARTS, STEP, TABLES
from bench.support import cells
from bench.support.lines import Record
from bench.support.settings import CLASSES_INDUCING, DATA, files
from induce import GPClassifier

SETTING = {"kernel": "se", "warp": "none", "threads": 1}  # few rows: nothing to choose by, and quick
ROWS = 100_000  # of the pool
Parts = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]  # pool and its labels, test rows and theirs


def crescents(start: int) -> Parts:
    """Two crescents that nearly touch."""
    random = np.random.default_rng(start)
    y, angle = random.integers(0, 2, 6000), random.uniform(0, np.pi, 6000)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    X[y == 1] = [1.0, 0.35] - X[y == 1]
    return divided(X + random.normal(scale=0.15, size=X.shape), y, start)


def divided(X: np.ndarray, y: np.ndarray, start: int) -> Parts:
    order = np.random.default_rng(start).permutation(len(y))
    test, pool = order[: len(y) // 3], order[len(y) // 3 :]
    return X[pool], y[pool], X[test], y[test]


def table(name: str, data: Path, start: int) -> Parts:
    if name == "crescents":
        return crescents(start)
    if name == "digits":
        return divided(*load_digits(return_X_y=True), start)
    if name in CLASSES_INDUCING:
        return divided(*rows_of([data / "multiclass" / f"{name}.svm.xz"])[0], start)
    (X, y), (X_test, y_test) = rows_of(files(data, name))
    return X, y, X_test, y_test


def rows_of(paths: Iterable[Path]) -> list[tuple[np.ndarray, np.ndarray]]:
    read = [
        io.BytesIO(lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes())
        for path in paths
    ]
    loaded = load_svmlight_files(read)
    return [(X.toarray(), y.astype(int)) for X, y in zip(loaded[::2], loaded[1::2], strict=True)]


def first_rows(y: np.ndarray, order: np.ndarray) -> list[int]:
    """The first 50 rows in the order; where they lack a class, its first row too."""
    chosen = list(order[:FIRST])
    return chosen + [order[np.argmax(y[order] == c)] for c in np.setdiff1d(y, y[chosen])]


def fitted_nll(parts: Parts, chosen: list[int]) -> tuple[GPClassifier, float]:
    X, y, X_test, y_test = parts
    classifier = GPClassifier(**SETTING).fit(X[chosen], y[chosen])
    p = classifier.predict_proba(X_test)[np.arange(len(y_test)), np.searchsorted(classifier.classes_, y_test)]
    return classifier, -np.log(np.maximum(p, 1e-12)).mean()


def curve(parts: Parts, start: int) -> list[float]:
    """The NLL after 50, 75, ..., 300 labels."""
    X, y = parts[:2]
    chosen, found = first_rows(y, np.random.default_rng(start).permutation(len(y))), []
    for labels in range(FIRST, LAST + 1, STEP):
        classifier, nll = fitted_nll(parts, chosen)
        found.append(nll)
        rest = np.setdiff1d(np.arange(len(y)), chosen)
        chosen += list(rest[classifier.rank_rows(X[rest], labels + STEP - len(chosen), random_state=start)])
    return found


def at_random(parts: Parts, start: int, labels: int) -> float:
    y = parts[1]
    order = np.random.default_rng(start).permutation(len(y))
    first = first_rows(y, order)
    return fitted_nll(parts, first + [row for row in order if row not in set(first)][: labels - len(first)])[1]


def measured(name: str, data: Path, start: int) -> Record:
    parts = table(name, data, start)
    random = {f"random_{labels}": at_random(parts, start, labels) for labels in (LAST, RANDOM)}
    return {**random, "ranked": curve(parts, start)}


def large_pool(rows: int) -> Record:
    """Seconds of processor time beside `predict_proba`, for a pool in memory and a model of 1,000 rows."""
    random = np.random.default_rng(0)
    X = random.normal(size=(1000 + rows, 8))
    y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + random.normal(size=len(X)) > 0
    classifier = GPClassifier(**SETTING).fit(X[:1000], y[:1000])
    found = {"rows": rows, "columns": X.shape[1], "m": classifier.model_.inducing}
    for name, each in (("predict", classifier.predict_proba), ("rank", lambda pool: classifier.rank_rows(pool, 50))):
        began = time.process_time()
        each(X[1000:])
        found[f"{name}_seconds"] = time.process_time() - began
    return found


def main() -> int:
    parser = cells.parser("bench/rank/run", __doc__, RECORD)
    parser.add_argument("tables", nargs="*", default=[*TABLES, POOL], help="default: all")
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the data sets")
    parser.add_argument("--starts", type=int, default=STARTS)
    args = parser.parse_args()

    def measure(name: str, start: int) -> Record:
        return {**SETTING, **(large_pool(ROWS) if name == POOL else measured(name, args.data, start))}

    wanted = [(name, start) for name in args.tables for start in range(POOLS if name == POOL else args.starts)]
    return cells.run(args, ("table", "start"), wanted, measure)


if __name__ == "__main__":
    sys.exit(main())
