"""The paper's first figure: a Gaussian process in one dimension, and a sparse one with inducing inputs.

Left: mean, three standard deviations and samples of a process conditioned on a few values. Right: the latent function
of a classifier, fitted by `induce` to 200 labels with a few inducing inputs.
"""

from __future__ import annotations

import csv
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from bench.peers.prepare import read_tensors

INDUCING = 6


def draw_process(axes: Axes) -> None:
    rng = np.random.default_rng(4)
    seen = np.array([-3.2, -1.8, 0.1, 1.2, 3.4])
    x = np.linspace(-5, 5, 200)

    def kernel(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.exp(-((a[:, None] - b) ** 2) / 2)

    weights = np.linalg.solve(kernel(seen, seen) + 1e-6 * np.eye(len(seen)), kernel(seen, x)).T
    mean = weights @ np.sin(1.3 * seen)
    covariance = kernel(x, x) - weights @ kernel(seen, x)
    band = 3 * np.sqrt(np.clip(np.diag(covariance), 0, None))
    axes.fill_between(x, mean - band, mean + band, color="C0", alpha=0.15, lw=0)
    samples = rng.multivariate_normal(mean, covariance + 1e-9 * np.eye(len(x)), size=4, method="eigh")
    axes.plot(x, samples.T, lw=0.8)
    axes.plot(x, mean, color="navy", lw=1.5)
    axes.plot(seen, np.sin(1.3 * seen), "k+")
    axes.set(title="a Gaussian process: mean, 3 standard deviations, samples", xlabel="x", ylabel="f(x)")


def fit_latent(command: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(x, labels, grid, mean, variance, inducing inputs)."""
    rng = np.random.default_rng(1)
    x = rng.uniform(-4, 4, 200)
    y = (rng.uniform(size=200) < 1 / (1 + np.exp(-4 * np.sin(1.3 * x)))).astype(int)
    grid = np.linspace(-5, 5, 200)
    with tempfile.TemporaryDirectory() as folder:
        train, rows, model, out = (Path(folder) / name for name in ("train.csv", "rows.csv", "model", "out.csv"))
        train.write_text("x,y\n" + "".join(f"{a!r},{b}\n" for a, b in zip(x.tolist(), y.tolist(), strict=True)))
        rows.write_text("x\n" + "".join(f"{a!r}\n" for a in grid.tolist()))
        fit = ["fit", str(train), "--inducing", str(INDUCING), "--warp", "none", "--quiet", "-o", str(model)]
        for words in (fit, ["predict", str(model), str(rows), "-o", str(out)]):
            subprocess.run([str(command), *words], check=True)
        with out.open(newline="") as text:
            found = [(float(row["latent_mean"]), float(row["latent_variance"])) for row in csv.DictReader(text)]
        frame = read_tensors(model)
    mean, variance = np.array(found).T
    Z = frame["inducing_inputs"][:, 0] * frame["feature_scale"][0] + frame["feature_shift"][0]
    return x, y, grid, mean, variance, Z


def draw_inducing(axes: Axes, command: Path) -> None:
    x, y, grid, mean, variance, Z = fit_latent(command)
    band = 3 * np.sqrt(variance)
    axes.fill_between(grid, mean - band, mean + band, color="C0", alpha=0.15, lw=0)
    axes.plot(grid, mean, color="navy", lw=1.5)
    low, high = (mean - band).min(), (mean + band).max()
    axes.plot(x, np.where(y == 1, high, low), "|", color="0.4", ms=5)
    axes.plot(Z, np.interp(Z, grid, mean), "o", color="C3", ms=5, label="inducing inputs")
    axes.legend(frameon=False, loc="upper left")
    axes.set(title=f"a classifier's latent function, m = {len(Z)}, and its labels", xlabel="x", ylabel="f(x)")
