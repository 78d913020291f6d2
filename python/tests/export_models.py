"""Small models of every kernel and likelihood, and the data sets, for the tests of exports. Fits take milliseconds:
what is tested is whether another program predicts the same, not whether the prediction is good."""

import io
import lzma
import os
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from repository import ROOT, needs
from sklearn.datasets import load_svmlight_file

from induce import GPClassifier

KERNELS = ["se", "matern12", "matern32", "matern52", "se+linear", "se+matern12"]
TERMS = ["mains", "mains:0,3+pairs:0*1", "se+mains+pairs:1*2,0*3"]
MIXED_TERMS = ["mains+pairs:0*2,1*5", "se+mains+pairs:2*3,0*1"]
BESSEL = ["matern:0.3", "matern:1.2", "matern:3.7"]
LIKELIHOODS = ["logistic", "probit", "softmax", "ordinal"]

SHARED = Path(os.environ.get("INDUCE_SHARED") or Path(__file__).parents[3] / "shared") / "data"
TWO_CLASSES = ["a8a", "banana", "cod-rna", "german", "ijcnn1", "magic", "skin_nonskin", "svmguide1"]
MANY_CLASSES = ["multiclass/satimage", "multiclass/usps"]

HOSTILE = [
    "*/",
    "<script>alert(1)</script>",
    '"quoted\\',
    "??/",
    "two\nlines\r",
    "x" * 10_000,
    "\u202eleft",
    "\x1b[31m",
    "%s%n",
]


def numbers(rows: int, seed: int = 0, spread: float = 1.0) -> np.ndarray:
    X = np.random.default_rng(seed).normal(size=(rows, 4)) * spread
    X[:, 3] = np.exp(X[:, 3])  # a heavy tail, worth a warp
    return X


def labels_of(X: np.ndarray, classes: int) -> np.ndarray:
    f = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.3 * np.log(X[:, 3])
    f += 0.3 * np.random.default_rng(1).normal(size=len(X))
    return np.digitize(f, [0.0] if classes == 2 else [-0.7, 0.7])


def quick(**parameters) -> GPClassifier:
    return GPClassifier(**{"inducing": 20, "max_iter": 10, "threads": 1, **parameters})


def fitted(classifier: GPClassifier, X, y) -> GPClassifier:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that ten iterations are too few
        return classifier.fit(X, y)


def small_model(kernel: str, likelihood: str, **parameters) -> GPClassifier:
    X = numbers(300)
    return fitted(
        quick(kernel=kernel, likelihood=likelihood, noise=True, warp="yeo-johnson", **parameters),
        X,
        labels_of(X, 3 if likelihood in ("softmax", "ordinal") else 2),
    )


def mixed_table(rows: int, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Every kind of column, repeated values, gaps, and a latent function."""
    random = np.random.default_rng(seed)
    amounts = np.array([100, 200, 300.5, 400, 500, 600, 700, 800, 900, 1000])
    table = pd.DataFrame(
        {
            "age": random.normal(40, 10, rows),
            "gain": np.where(random.random(rows) < 0.7, 0.0, random.choice(amounts, rows)),
            "job": random.choice(["cook", "clerk", "*/ <b>", "Ünï", "rare"], rows, p=[0.4, 0.3, 0.15, 0.14, 0.01]),
            "ok": random.random(rows) < 0.5,
            "when": pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 1000, rows), "D"),
            "kids": random.integers(0, 4, rows).astype(float),
        }
    )
    f = (table.age - 40) / 10 + (table.job == "cook") * 1.5 - (table.gain > 200) + table.ok * 0.5
    f += 0.3 * random.normal(size=rows)
    table.loc[random.random(rows) < 0.1, "age"] = np.nan
    table.loc[random.random(rows) < 0.1, "job"] = None
    return table, f.to_numpy()


def mixed_model(classes: int, kernel: str = "se") -> GPClassifier:
    table, f = mixed_table(500, 0)
    y = np.array(["no", "yes", "so-so"])[np.digitize(f, [0.8] if classes == 2 else [-0.3, 1.0])]
    return fitted(quick(kernel=kernel, warp="yeo-johnson"), table, y)


OLD_ADDITIVE = ["version6_classes", "version7_mixed", "version10_additive"]  # kernels that fits no longer have


def old_model(name: str) -> tuple[Path, GPClassifier, np.ndarray]:
    """A golden file, its model, and rows as codes."""
    needs("the golden files are")
    path = ROOT / "tests" / "golden" / f"{name}.model"
    model = GPClassifier.load(path)
    X = np.random.default_rng(0).normal(size=(200, model.model_.features))
    for k, column in enumerate(model.columns_):
        if column.levels:
            X[:, k] = np.arange(200) % (len(column.levels) + 2)
    return path, model, X


def with_new_gaps(table: pd.DataFrame) -> pd.DataFrame:
    """Gaps where training had none, more of them than in any row, and texts that training did not have."""
    random, out = np.random.default_rng(9), table.copy()
    out["ok"] = out["ok"].astype(object)
    for column, value in (("kids", np.nan), ("age", np.nan), ("job", "never seen"), ("job", None), ("ok", None)):
        out.loc[random.random(len(out)) < 0.15, column] = value
    return out


def read(name: str) -> tuple[np.ndarray, np.ndarray]:
    path = SHARED / f"{name}.svm.xz"
    if not path.exists():
        pytest.skip(f"{path} is not there: data sets are not part of the project")
    with lzma.open(path) as file:
        lines = file.read().splitlines(keepends=True)
    some = io.BytesIO(b"".join(lines[:: max(1, len(lines) // 2000)]))  # files may be sorted
    X, y = load_svmlight_file(some)
    return X.toarray(), y.astype(int)


def data_set(name: str) -> tuple[GPClassifier, np.ndarray]:
    """A quick fit to 800 rows, and 1,000 rows to predict."""
    one_file = not (SHARED / f"{name}.train.svm.xz").exists()
    X, y = read(name if one_file else name + ".train")
    T = X[-1000:] if one_file else read(name + ".test")[0]
    # LIBSVM files leave out zeros, and so the last columns of a file may be missing.
    width = max(X.shape[1], T.shape[1])
    X, T = (np.pad(each, ((0, 0), (0, width - each.shape[1]))) for each in (X, T))
    chosen = np.random.default_rng(0).permutation(len(X))[:800]
    return fitted(quick(kernel="matern52"), X[chosen], y[chosen]), np.ascontiguousarray(T[:1000])
