"""Ordered classes: thresholds that are recovered, and three tables against softmax and mord's LogisticAT.

NLL, ranked probability score (RPS) and mean absolute error in levels (MAE) over five folds, row i in fold i mod 5 of
a fixed shuffle. Needs the Python package, mord and statsmodels. `thresholds`, `tables` or both (default); `--rows N`
limits tables.
"""

from __future__ import annotations

import argparse
import time
import warnings

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from induce import GPClassifier

TRUTH = np.array([-2.0, -0.5, 0.3, 2.5])
FOLDS = 5


def tables() -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """X, and levels from 0."""
    import statsmodels.api as sm
    from sklearn.datasets import load_diabetes

    fair, anes = sm.datasets.fair.load_pandas().data, sm.datasets.anes96.load_pandas().data
    marriage = fair.pop("rate_marriage").to_numpy(int) - 1
    X, progression = load_diabetes(return_X_y=True, as_frame=True)
    return {
        "diabetes, fifths of progression": (X, pd.qcut(progression, 5, labels=False).to_numpy()),
        "anes96, party from left to right (7)": (anes.drop(columns="PID"), anes["PID"].to_numpy(int)),
        "fair, how happy a marriage is (5)": (fair, marriage),
    }


def scores(p: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """NLL, RPS and error in levels of each row."""
    rows, classes = p.shape
    at_or_below = y[:, None] <= np.arange(classes - 1)
    rps = ((p.cumsum(1)[:, :-1] - at_or_below) ** 2).mean(1)
    return -np.log(np.clip(p[np.arange(rows), y], 1e-15, 1)), rps, np.abs(p.argmax(1) - y)


def mord_model(X: pd.DataFrame):
    from mord import LogisticAT

    texts = [name for name in X if X[name].dtype == object]
    prepare = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), texts), remainder=StandardScaler())
    return make_pipeline(prepare, LogisticAT(alpha=1.0))


def compare(name: str, X: pd.DataFrame, y: np.ndarray, rows: int) -> None:
    order = np.random.default_rng(0).permutation(len(y))[:rows]
    X, y = X.iloc[order].reset_index(drop=True), y[order]
    fold = np.arange(len(y)) % FOLDS
    makers = {
        "induce, ordinal": lambda: GPClassifier(likelihood="ordinal", threads=1),
        "induce, softmax": lambda: GPClassifier(likelihood="softmax", threads=1),
        "mord LogisticAT": lambda: mord_model(X),
    }
    print(f"\n{name}: {len(y)} rows, {X.shape[1]} columns, levels {np.bincount(y).tolist()}", flush=True)
    found = {}
    for who, make in makers.items():
        began, parts = time.process_time(), [np.empty(len(y)) for _ in range(3)]
        for k in range(FOLDS):
            model = make().fit(X[fold != k], y[fold != k])
            for part, own in zip(parts, scores(model.predict_proba(X[fold == k]), y[fold == k]), strict=True):
                part[fold == k] = own
        found[who] = parts
        nll, rps, mae = (part.mean() for part in parts)
        print(
            f"{who:18} NLL {nll:.4f}  RPS {rps:.4f}  MAE {mae:.4f}  {time.process_time() - began:7.1f} s", flush=True
        )
    for other in list(makers)[1:]:
        differences = [found[other][k] - found["induce, ordinal"][k] for k in (0, 1)]
        words = [f"{d.mean():+.4f} +- {d.std() / np.sqrt(len(d)):.4f}" for d in differences]
        print(f"  {other} minus ordinal: NLL {words[0]}, RPS {words[1]}", flush=True)


def thresholds() -> None:
    """Gaps between thresholds in 20 made-up tables: a location is shared with the latent function, gaps are not."""
    gaps = []
    for seed in range(20):
        random = np.random.default_rng(seed)
        x = random.normal(size=(1500, 3))
        f = 2 * np.sin(1.5 * x[:, 0]) + x[:, 1]
        y = (f[:, None] + random.logistic(size=(1500, 1)) > TRUTH).sum(1)
        model = GPClassifier(likelihood="ordinal", kernel="se", inducing=50, threads=1).fit(x, y)
        # Relative to what the latent function is on average where it is 0 in truth: its mean over the rows.
        shift = model.predict_latent(x)[0].mean() - f.mean()
        gaps.append(model.report_["theta"]["thresholds"] - shift)
    gaps = np.array(gaps)
    print("threshold  truth    mean  standard deviation  z of the mean  within two deviations")
    for k, truth in enumerate(TRUTH):
        mean, std = gaps[:, k].mean(), gaps[:, k].std(ddof=1)
        inside = (np.abs(gaps[:, k] - truth) < 2 * std).sum()
        z = (mean - truth) / std * 20**0.5
        print(f"b_{k + 1}        {truth:6.2f}  {mean:6.3f}  {std:18.3f}  {z:13.2f}  {inside} of 20")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", choices=["thresholds", "tables"], default=["thresholds", "tables"])
    parser.add_argument("--rows", type=int, default=10**9)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if "thresholds" in arguments.what:
        thresholds()
    if "tables" in arguments.what:
        for name, (X, y) in tables().items():
            compare(name, X, y, arguments.rows)


if __name__ == "__main__":
    main()
