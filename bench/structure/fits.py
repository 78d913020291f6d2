"""Fits of one made-up problem: induce by its command line, LightGBM and CatBoost in this process; two threads."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.structure.problems import DECIMALS, Problem, Rows, nll
from bench.structure.table_file import write_csv
from bench.support.lines import Record
from bench.support.program import call

THREADS = 2
INSTALL = "run bench/peers/environments tables, or install it in this Python, or pass --no-peers"


class MissingError(Exception):
    """A library is not installed."""


@dataclass(frozen=True)
class Result:
    nll: float
    seconds: float  # of training
    kernel: str = "-"
    m: int = 0
    order: tuple[str, ...] = ()  # features, the most important first
    status: str = "done"


def order_of(summary: Record) -> tuple[str, ...]:
    """The features by total importance, or by relevance in summaries without importance."""
    key, value = ("importance", "total") if summary.get("importance") else ("relevance", "inverse_lengthscale")
    ranked = sorted(summary.get(key) or [], key=lambda entry: -(entry[value] or 0.0))
    return tuple(entry["feature"] for entry in ranked)


def read_summary(summary: Record) -> Result:
    test = summary["test"]
    kernel, m, status = summary.get("kernel", "-"), summary["m"], summary["status"]
    return Result(test["nll"], summary["seconds"], kernel, m, order_of(summary), status)


def fit_induce(command: Path, train: Rows, test: Rows, arguments: Sequence[str]) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("train.csv", "test.csv")]
        for path, rows in zip(files, (train, test), strict=True):
            write_csv(path, rows.X, rows.y, DECIMALS)
        summary = Path(folder) / "summary.json"
        given = ["--threads", str(THREADS), "--json", str(summary), "--quiet", *arguments]
        call([command, "fit", files[0], "--test", files[1], *given])
        return read_summary(json.loads(summary.read_text()))


def require(*names: str) -> None:
    """Imports the libraries before the first fit. Their idle threads must not spin while induce runs."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    for name in names:
        try:
            __import__(name)
        except ImportError as error:
            raise MissingError(f"{name} cannot be imported ({error}); {INSTALL}") from None


def fit_lightgbm(problem: Problem, train: Rows, test: Rows, seed: int) -> Result:
    import lightgbm

    model = lightgbm.LGBMClassifier(n_estimators=problem.trees, n_jobs=THREADS, random_state=seed, verbose=-1)
    started = time.perf_counter()
    model.fit(train.X, train.y)
    seconds = time.perf_counter() - started
    return Result(nll(model.booster_.predict(test.X), test.y), seconds)


def fit_catboost(problem: Problem, train: Rows, test: Rows, seed: int) -> Result:
    from catboost import CatBoostClassifier

    model = CatBoostClassifier(random_seed=seed, thread_count=THREADS, verbose=False, allow_writing_files=False)
    started = time.perf_counter()
    model.fit(train.X, train.y)
    seconds = time.perf_counter() - started
    return Result(nll(model.predict_proba(test.X)[:, 1], test.y), seconds)
