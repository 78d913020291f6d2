"""Runs `induce fit` for a benchmark: returns summary, test curve and calibration, and leaves no files behind."""

from __future__ import annotations

import json
import lzma
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.support.calibration import bins, read_confidence, read_probabilities
from bench.support.lines import Record, significant
from bench.support.machine import children_seconds, without_paths

# Long, or file names.
OMITTED = ("files", "history", "relevance", "importance", "warp_exponents", "leave_one_out", "options")


@dataclass
class Fit:
    status: str  # of the fit, or "error" or "time limit"
    message: str = ""
    cpu_seconds: float = 0.0  # of the whole process, including reading and testing
    summary: Record = field(default_factory=dict)
    curve: list[list[float]] = field(default_factory=list)  # seconds, nll, accuracy
    calibration: list[list[float]] = field(default_factory=list)


def thin(curve: list[list[float]], growth: float = 1.02) -> list[list[float]]:
    """Drops points that are close together, but keeps every new minimum of the NLL and the last point."""
    kept: list[list[float]] = []
    best, after = float("inf"), 0.0
    for point in curve:
        if point[1] < best or point[0] >= after:
            kept.append(point)
            after = point[0] * growth
        best = min(best, point[1])
    return kept if not curve or kept[-1] is curve[-1] else [*kept, curve[-1]]


def read_curve(trace: Path) -> list[list[float]]:
    lines = (json.loads(text) for text in trace.read_text().splitlines())
    points = ([line["seconds"], line["test_nll"], line["test_accuracy"]] for line in lines)
    return thin([[significant(value) for value in point] for point in points if None not in point])


def labels(path: Path) -> list[float]:
    """The labels of a LIBSVM file."""
    text = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    return [float(line.split(maxsplit=1)[0]) for line in text.decode().splitlines()]


def calibration(csv: Path, classes: list[str], truth: list[float]) -> list[list[float]]:
    """Bins of the probability of class 1 of two, or of that of the predicted class of three or more."""
    if len(classes) == 2:
        return bins(read_probabilities(csv, classes[1]), [int(label > 0) for label in truth])
    predicted, p = read_confidence(csv)
    return bins(p, [int(float(label) == true) for label, true in zip(predicted, truth, strict=True)])


def fit(command: Path, data: tuple[Path, Path], arguments: Sequence[str], timeout: float | None = None,
        *, trace: bool = True, calibrated: bool = True) -> Fit:  # fmt: skip
    """Runs one fit. With `trace` it is tested after each iteration while its clock is stopped.

    `calibrated`: with bins of predicted probabilities, of LIBSVM files only.
    """
    train, test = data
    with tempfile.TemporaryDirectory() as folder:
        summary, model, csv, line = (Path(folder) / name for name in ("summary", "model", "csv", "trace"))
        words = [str(command), "fit", str(train), "--test", str(test), "--quiet", *arguments]

        def call(*more: str) -> str | None:
            done = subprocess.run(more, capture_output=True, text=True, check=False, timeout=timeout)
            return None if done.returncode == 0 else done.stderr.strip() or f"exit status {done.returncode}"

        try:
            before = children_seconds()
            traced = ("--trace", str(line)) if trace else ()
            problem = call(*words, "--json", str(summary), "-o", str(model), *traced)
            cpu = children_seconds() - before
            if calibrated and not problem:
                problem = call(str(command), "predict", str(model), str(test), "-o", str(csv))
            if problem:
                return Fit("error", without_paths(problem))
            found = json.loads(summary.read_text())
            shown = calibration(csv, found["classes"], labels(test)) if calibrated else []
            curve = read_curve(line) if trace else []
        except subprocess.TimeoutExpired:
            return Fit("time limit", f"no result within {timeout:g} s")
        kept = {key: value for key, value in found.items() if key not in OMITTED}
        return Fit(found["status"], found["message"], cpu, kept, curve, shown)
