"""One fit without options by the command line: what it states about itself, and what it predicts for other rows."""

from __future__ import annotations

import csv
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.honesty.rows import LABEL, WEIGHT, Rows, losses, standard_error, write_csv
from bench.support.lines import Record, significant
from bench.support.program import call

NO_SIGNAL = "do not predict the label"  # in the warning about features without signal


@dataclass(frozen=True)
class Program:
    command: Path
    max_time: float  # seconds of one fit


@dataclass(frozen=True)
class Fit:
    summary: Record
    probabilities: NDArray[np.float64]  # of the other rows, a column for each class
    latent_mean: NDArray[np.float64] | None  # of two classes
    latent_deviation: NDArray[np.float64] | None

    @property
    def classes(self) -> list[str]:
        return self.summary["classes"]

    @property
    def stated(self) -> Record:
        """The metrics that the summary gives as those of fresh rows."""
        return self.summary.get("cross_validation") or self.summary["leave_one_out"]

    def facts(self) -> Record:
        """What was chosen and how long it took, for the record."""
        warnings = self.summary["warnings"]
        return {
            "kernel": self.summary["kernel"],
            "warp": self.summary["warp"],
            "m": self.summary["m"],
            "seconds": significant(self.summary["seconds"], 3),
            "status": self.summary["status"],
            "stated_by": "folds" if self.summary.get("cross_validation") else "leave one out",
            "warned": any(NO_SIGNAL in text for text in warnings),
            "warnings": len(warnings),
        }


def read_predictions(path: Path, classes: Sequence[str]) -> tuple[NDArray[np.float64], ...]:
    with path.open(newline="") as text:
        header, *body = csv.reader(text)
    numbers = {name: [line[k] for line in body] for k, name in enumerate(header)}

    def column(name: str) -> NDArray[np.float64]:
        return np.array(numbers[name], dtype=float)

    p = np.column_stack([column(f"p_{name}") for name in classes])
    if len(classes) > 2:
        return p, None, None
    return p, column("latent_mean"), np.sqrt(column("latent_variance"))


def fit(program: Program, train: Rows, others: Rows, arguments: Sequence[str] = (),
        names: list[str] | None = None) -> Fit:  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        files = ("train.csv", "others.csv", "summary.json", "model", "predictions.csv")
        train_csv, others_csv, summary, model, predictions = (Path(folder) / name for name in files)
        write_csv(train_csv, train, names)
        write_csv(others_csv, others.unweighted(), names)
        words = ["--label", LABEL, "--threads", "1", "--max-time", f"{program.max_time:g}", "--quiet", *arguments]
        weighted = ["--weight", WEIGHT] if train.weights is not None else []
        call([program.command, "fit", train_csv, "--json", summary, "-o", model, *words, *weighted])
        call([program.command, "predict", model, others_csv, "--threads", "1", "-o", predictions])
        found = json.loads(summary.read_text())
        return Fit(found, *read_predictions(predictions, found["classes"]))


def stated_against_fresh(found: Fit, train: Rows, fresh: Rows) -> tuple[Record, NDArray[np.float64]]:
    """The stated NLL and that of fresh rows with their errors, and the losses of the fresh rows.

    A summary without an error of its NLL gets that of the same number of fresh rows.
    """
    fresh_losses = losses(found.probabilities, fresh.labels, found.classes)
    stated = found.stated
    error = stated.get("nll_error")
    if error is None:
        weights = np.ones(len(train)) if train.weights is None else train.weights
        error = standard_error(fresh_losses) * np.sqrt(len(fresh) * (weights**2).sum()) / weights.sum()
    record = {
        "stated": significant(stated["nll"]),
        "stated_error": significant(float(error)),
        "fresh": significant(float(fresh_losses.mean())),
        "fresh_error": significant(standard_error(fresh_losses)),
    }
    return record, fresh_losses
