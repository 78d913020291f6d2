"""Fits the tables of table.py with `induce fit` and with scikit-learn's logistic regression, and prints a table.

Time and peak memory of induce are those of its JSON summary. Logistic regression gets the best C of 1, 3, 10, 30 and
100 by its NLL on a fifth of the training rows.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import tempfile
import time

import numpy as np
from sklearn.datasets import dump_svmlight_file
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from bench.sparse.table import ROWS, TABLES


def logistic(X, y, X_test, y_test) -> tuple[float, float]:
    began, fifth = time.perf_counter(), len(y) // 5
    best = min(
        (1, 3, 10, 30, 100),
        key=lambda C: log_loss(
            y[:fifth], LogisticRegression(C=C, max_iter=1000).fit(X[fifth:], y[fifth:]).predict_proba(X[:fifth])
        ),
    )
    fitted = LogisticRegression(C=best, max_iter=1000).fit(X, y)
    return log_loss(y_test, fitted.predict_proba(X_test)), time.perf_counter() - began


def measure(name: str, induce: str, folder: pathlib.Path, options: list[str]) -> str:
    X, y = TABLES[name](np.random.default_rng(1))
    train, test = folder / f"{name}.train.svm", folder / f"{name}.test.svm"
    dump_svmlight_file(X[:ROWS], y[:ROWS], str(train), zero_based=False)
    dump_svmlight_file(X[ROWS:], y[ROWS:], str(test), zero_based=False)
    summary = folder / "summary.json"
    command = [induce, "fit", str(train), "--test", str(test), "--json", str(summary), "--quiet", *options]
    # As a child of sh: a direct child of this process would count its peak memory as its own.
    subprocess.run(["sh", "-c", '"$@"; exit $?', "sh", *command], check=True)
    report = json.loads(summary.read_text())
    base = log_loss(y[ROWS:], np.full(len(y) - ROWS, y[:ROWS].mean()))
    by_line, line_seconds = logistic(X[:ROWS], y[:ROWS], X[ROWS:], y[ROWS:])
    size = train.stat().st_size / 2**20
    return (
        f"{name:8}{size:9.1f}{report['peak_rss_mb']:9.0f}{report['peak_rss_mb'] / size:7.1f}{report['m']:6}"
        f"{report['seconds']:9.1f}{report['test']['nll']:9.4f}{base:9.4f}{by_line:10.4f}{line_seconds:9.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--induce", default="build/induce", help="the program; default: build/induce")
    parser.add_argument("options", nargs="*", help="options of induce fit, after --")
    arguments = parser.parse_args()
    print("table    file MiB peak MiB  times     m  seconds      nll     base  logistic  seconds")
    with tempfile.TemporaryDirectory() as folder:
        for name in TABLES:
            print(measure(name, arguments.induce, pathlib.Path(folder), arguments.options), flush=True)


if __name__ == "__main__":
    main()
